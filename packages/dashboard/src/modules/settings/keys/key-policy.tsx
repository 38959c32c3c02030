import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { EnvironmentBadge } from '../../../ui/state-badge.tsx'
import type { DerivedKeys } from '../api.ts'
import { ForApps } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useKeysTexts } from './texts-keys.ts'

const PATH = '/settings/sdk-key-policy'

/** Keys that are derived from the workspace's id, which older apps use (G-10). */
export function KeyPolicy({ onNewKey }: { onNewKey: () => void }) {
  const t = useKeysTexts()
  const { workspace, mayAdmin } = useSession()
  const policy = useRead<DerivedKeys>(PATH)
  const [isEnding, setEnding] = useState(false)
  const change = useWrite<boolean, DerivedKeys>((derivedKeysEnabled) => ({ method: 'PUT', path: PATH, body: { derivedKeysEnabled } }), {
    stale: [PATH],
    done: t('policySaved'),
    showsError: true,
  })
  const isRefused = change.error?.code === 'LIVE_PUBLISHABLE_KEY_REQUIRED'
  const flip = (isOn: boolean) => {
    if (change.isPending) return
    if (isOn) change.mutate(true)
    else setEnding(true)
  }
  return (
    <Section title={t('policy')} text={t('policyText')}>
      <ForApps text={t('policyEffect')} />
      <Stack gap={6}>
        {(['live', 'test'] as const).map((environment) => (
          <Group key={environment} gap="sm">
            <EnvironmentBadge environment={environment} />
            <CopyField value={`${workspace.id}_${environment === 'live' ? 'app' : 'test'}`} label={t('derivedKey')} />
          </Group>
        ))}
      </Stack>
      <Loaded read={policy}>
        {({ derivedKeysEnabled }) =>
          mayAdmin ? (
            <Switch
              label={t('policySwitch')}
              checked={change.isPending ? change.variables : derivedKeysEnabled}
              onChange={({ currentTarget }) => flip(currentTarget.checked)}
            />
          ) : (
            <Text size="sm">{t(derivedKeysEnabled ? 'policyOn' : 'policyOff')}</Text>
          )
        }
      </Loaded>
      {isRefused && (
        <Alert role="alert" color="orange" icon={<IconKey aria-hidden />} title={t('policyRefused')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('policyRefusedText')}</Text>
            <Button
              size="xs"
              onClick={() => {
                change.reset()
                onNewKey()
              }}
            >
              {t('policyNewKey')}
            </Button>
          </Stack>
        </Alert>
      )}
      {change.error && !isRefused && <Failure error={change.error} />}
      <Confirm
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={() => change.mutate(false, { onSettled: () => setEnding(false) })}
        title={t('policyEndTitle')}
        action={t('policyEnd')}
        isDangerous
        isBusy={change.isPending}
      >
        {t('policyEndText')}
      </Confirm>
    </Section>
  )
}
