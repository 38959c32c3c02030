import { Stack, Switch, Text } from '@mantine/core'
import { FEATURES, type FeatureName } from '@contentflow/core/features.ts'
import { useState } from 'react'
import { useRead, useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import type { Features } from './api.ts'
import { ForApps, OnlyFor } from './notes.tsx'
import { SettingValue } from './setting-value.tsx'
import classes from './settings.module.css'
import { useFeaturesTexts } from './texts-features.ts'

const PATH = '/settings/features'
type Change = { name: FeatureName; isOn: boolean }

/** The switches of the workspace (G-07). On is harmless; off takes something from every app, so it is asked about. */
export function FeaturesTab() {
  const t = useFeaturesTexts()
  const { mayAdmin } = useSession()
  const features = useRead<{ features: Features }>(PATH)
  const [ending, setEnding] = useState<FeatureName>()
  const change = useWrite<Change>(({ name, isOn }) => ({ method: 'PUT', path: PATH, body: { features: { [name]: isOn } } }), {
    stale: [PATH],
    done: (_data, { name, isOn }) => t(isOn ? 'isOn' : 'isOff', { name: t(name) }),
    showsError: true,
  })
  const isChanging = (name: FeatureName) => change.isPending && change.variables.name === name
  const flip = (name: FeatureName, isOn: boolean) => {
    if (change.isPending) return
    if (isOn) change.mutate({ name, isOn })
    else setEnding(name)
  }
  return (
    <Section title={t('features')} text={t('featuresText')}>
      <ForApps text={t('featuresEffect')} />
      <SettingValue read={features} height={640}>
        {({ features: switches }) => (
          <ul className={classes.switches}>
            {FEATURES.map((name) => (
              <li key={name}>
                <Stack gap={2}>
                  <Text size="sm" fw={600} id={`feature-${name}`}>
                    {t(name)}
                  </Text>
                  <Text size="sm" c="dimmed" id={`feature-${name}-text`}>
                    {t(`${name}_off`)}
                  </Text>
                </Stack>
                {mayAdmin ? (
                  <Switch
                    aria-labelledby={`feature-${name}`}
                    aria-describedby={`feature-${name}-text`}
                    checked={isChanging(name) ? change.variables?.isOn : switches[name]}
                    onChange={({ currentTarget }) => flip(name, currentTarget.checked)}
                  />
                ) : (
                  <Text size="sm" fw={600}>
                    {t(switches[name] ? 'on' : 'off')}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        )}
      </SettingValue>
      {change.error && <Failure error={change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
      <Confirm
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onConfirm={() => ending && change.mutate({ name: ending, isOn: false }, { onSettled: () => setEnding(undefined) })}
        title={t('endTitle', { name: ending ? t(ending) : '' })}
        action={t('end')}
        isDangerous
        isBusy={change.isPending}
      >
        {ending && t(`${ending}_off`)} {t('endText')}
      </Confirm>
    </Section>
  )
}
