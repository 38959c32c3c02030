import { NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import type { SignInSettings } from '../api.ts'
import { OnlyFor } from '../notes.tsx'
import { useSecondFactorTexts } from './texts-second-factor.ts'

const PATH = '/settings/sign-in'
const WHO = ['off', 'admins', 'all'] as const
const MINUTES = [5, 15, 30, 60, 120, 240, 480]

/** Whom the workspace asks for a second step, and when it signs out who does nothing. */
export function SecondFactorSection() {
  const t = useSecondFactorTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<SignInSettings>(PATH)
  const change = useWrite<Partial<SignInSettings>, SignInSettings>((body) => ({ method: 'PUT', path: PATH, body }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  const isOwnMissing = change.error?.code === 'SECOND_FACTOR_REQUIRED'
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={setting} height={240}>
        {(stored) => {
          if (!mayAdmin) return <Facts setting={stored} />
          const shown = change.isPending ? { ...stored, ...change.variables } : stored
          return (
            <Stack gap="md">
              <Radio.Group
                label={t('who')}
                value={shown.secondFactor}
                onChange={(next) => change.mutate({ secondFactor: WHO.find((who) => who === next) ?? shown.secondFactor })}
              >
                <Stack gap="xs" mt={6}>
                  {WHO.map((who) => (
                    <Radio key={who} value={who} label={t(`who_${who}`)} description={t(`who_${who}Text`)} />
                  ))}
                </Stack>
              </Radio.Group>
              <NativeSelect
                label={t('idle')}
                description={t('idleText')}
                maw={360}
                value={String(shown.sessionIdleMinutes ?? '')}
                onChange={({ currentTarget: { value } }) => change.mutate({ sessionIdleMinutes: value === '' ? null : Number(value) })}
                data={['' as const, ...choicesWith(shown.sessionIdleMinutes)].map((value) => ({
                  value: String(value),
                  label: lengthOf(t, value),
                }))}
              />
            </Stack>
          )
        }}
      </Loaded>
      {change.error && <Failure error={isOwnMissing ? new Error(t('ownFirst')) : change.error} />}
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

/** What the API was given may be none of the usual ones. */
function choicesWith(minutes: number | null): number[] {
  return minutes === null || MINUTES.includes(minutes) ? MINUTES : [...MINUTES, minutes].sort((a, b) => a - b)
}

function lengthOf(t: ReturnType<typeof useSecondFactorTexts>, minutes: number | '' | null): string {
  if (minutes === '' || minutes === null) return t('idle_never')
  return minutes % 60 === 0 ? t('hours', { count: minutes / 60 }) : t('minutes', { count: minutes })
}

function Facts({ setting: { secondFactor, sessionIdleMinutes } }: { setting: SignInSettings }) {
  const t = useSecondFactorTexts()
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t('who')}:{' '}
        <Text span fw={600} inherit>
          {t(`who_${secondFactor}`)}
        </Text>
      </Text>
      <Text size="sm">
        {t('idle')}:{' '}
        <Text span fw={600} inherit>
          {lengthOf(t, sessionIdleMinutes)}
        </Text>
      </Text>
    </Stack>
  )
}
