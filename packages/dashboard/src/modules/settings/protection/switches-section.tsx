import { PROTECTIONS, type ProtectionName } from '@contentflow/core/protections.ts'
import type { ProtectionSwitches } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { ForApps, OnlyFor } from '../notes.tsx'
import { SettingValue } from '../setting-value.tsx'
import classes from '../settings.module.css'
import { PROTECTIONS_PATH } from './paths.ts'
import { SwitchRow } from './switch-row.tsx'
import { useProtectionTexts } from './texts.ts'

type Change = { name: ProtectionName; isOn: boolean }

/** The protections of the workspace. On is safe; off opens something, so it is asked about. */
export function SwitchesSection() {
  const t = useProtectionTexts()
  const { mayAdmin } = useSession()
  const stored = useRead<{ protections: ProtectionSwitches }>(PROTECTIONS_PATH)
  const [ending, setEnding] = useState<ProtectionName>()
  const change = useWrite<Change>(
    ({ name, isOn }) => ({ method: 'PUT', path: PROTECTIONS_PATH, body: { protections: { [name]: isOn } } }),
    { stale: [PROTECTIONS_PATH], done: (_data, { name, isOn }) => t(isOn ? 'isOn' : 'isOff', { name: t(name) }), showsError: true },
  )
  const isChanging = (name: ProtectionName) => change.isPending && change.variables.name === name
  const flip = (name: ProtectionName, isOn: boolean) => {
    if (change.isPending) return
    if (isOn) change.mutate({ name, isOn })
    else setEnding(name)
  }
  return (
    <Section title={t('protections')} text={t('protectionsText')}>
      <ForApps text={t('protectionsEffect')} />
      <SettingValue read={stored} height={320}>
        {({ protections }) => (
          <ul className={classes.switches}>
            {PROTECTIONS.map((name) => (
              <SwitchRow
                key={name}
                label={t(name)}
                text={t(`${name}_text`)}
                isOn={isChanging(name) ? change.variables?.isOn === true : protections[name]}
                onChange={mayAdmin ? (isOn) => flip(name, isOn) : undefined}
              />
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
