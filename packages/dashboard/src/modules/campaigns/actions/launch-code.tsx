import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRead, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { latinDigits } from '../../../ui/read-number.ts'
import type { LaunchCode, LaunchSetting } from '../api.ts'
import { useActionTexts } from './texts.ts'

/** What going live takes besides an approval. */
export function useLaunch(): { needsCode: boolean; isRefused: boolean } {
  const { mayAdmin } = useSession()
  const mode = useRead<LaunchSetting>('/settings/launch-protection').data?.mode
  return { needsCode: mode === 'otp', isRefused: mode === 'admin' && !mayAdmin }
}

/** `path`: of what is to go live. */
type CodeProps = { path: string; value: string; onChange: (code: string) => void; isWrong: boolean }

/** The code that is sent to whoever lets it go live. */
export function LaunchCodeField({ path, value, onChange, isWrong }: CodeProps) {
  const t = useActionTexts()
  const format = useFormat()
  const send = useWrite<void, LaunchCode>(() => ({ method: 'POST', path: `${path}/launch-otp`, body: {} }), {
    stale: [],
    showsError: true,
  })
  return (
    <Stack gap="xs">
      <Text size="sm">{t('otpText')}</Text>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('otp')}
          value={value}
          onChange={({ currentTarget }) => onChange(latinDigits(currentTarget.value))}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          dir="ltr"
          w={160}
          error={isWrong && ' '}
        />
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t(send.isSuccess ? 'otpAgain' : 'otpSend')}
        </Button>
      </Group>
      {isWrong && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('otpWrong')}
        </Text>
      )}
      {send.data && (
        <Text size="sm" c="dimmed" role="status">
          {t('otpSent', { to: send.data.sentTo, at: format.clock(send.data.expiresAt) })}
        </Text>
      )}
      {send.error && <Failure error={send.error} />}
    </Stack>
  )
}
