import { Radio, Stack, Switch, Text } from '@mantine/core'
import type { LaunchSetting } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Section } from '../../../ui/section.tsx'
import { OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useLaunchTexts } from './texts-launch.ts'

const PATH = '/settings/launch-protection'
const MODES = ['off', 'admin', 'otp'] as const

/** What a campaign needs to go live, besides its approval (G-54). */
export function LaunchSection() {
  const t = useLaunchTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<LaunchSetting>(PATH)
  const change = useWrite<LaunchSetting, LaunchSetting>((body) => ({ method: 'PUT', path: PATH, body }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  return (
    <Section title={t('launch')} text={t('launchText')}>
      <Loaded read={setting} height={180}>
        {(stored) => {
          const shown = change.isPending ? change.variables : stored
          if (!mayAdmin) return <Facts launch={stored} />
          return (
            <Stack gap="md">
              <Radio.Group
                label={t('mode')}
                value={shown.mode}
                onChange={(next) => change.mutate({ ...shown, mode: MODES.find((mode) => mode === next) ?? shown.mode })}
              >
                <Stack gap="xs" mt={6}>
                  {MODES.map((mode) => (
                    <Radio key={mode} value={mode} label={t(`mode_${mode}`)} description={t(`mode_${mode}Text`)} />
                  ))}
                </Stack>
              </Radio.Group>
              <Switch
                label={t('seal')}
                description={t('sealText')}
                checked={shown.sealAudience}
                onChange={({ currentTarget }) => change.mutate({ ...shown, sealAudience: currentTarget.checked })}
              />
            </Stack>
          )
        }}
      </Loaded>
      {change.error && <Failure error={change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function Facts({ launch: { mode, sealAudience } }: { launch: LaunchSetting }) {
  const t = useLaunchTexts()
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t(`mode_${mode}`)}
      </Text>
      <Text size="sm">{t(sealAudience ? 'sealIsOn' : 'sealIsOff')}</Text>
    </Stack>
  )
}
