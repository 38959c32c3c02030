import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { LaunchCode, LaunchSetting } from '@contentflow/server/wire.ts'
import { ApiError } from '../../api.ts'
import { useRead, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../failure.tsx'
import { useLaunchTexts } from './texts-launch.ts'
import { latinDigits } from '../fields/read-number.ts'

/** What going live needs besides an approval. `isRefused`: only admins may, and this member is none. */
export function useLaunch(): { needsCode: boolean; isRefused: boolean } {
  const { mayAdmin } = useSession()
  const mode = useRead<LaunchSetting>('/settings/launch-protection').data?.mode
  return { needsCode: mode === 'otp', isRefused: mode === 'admin' && !mayAdmin }
}

/** The server wants another code than it got. */
export function isCodeWrong(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'LAUNCH_OTP_REQUIRED'
}

/** `path`: the thing that goes live. `error`: the error of the last attempt. */
type GateProps = { path: string; code: string; onCode: (code: string) => void; error: Error | null }

/** In a dialog that makes something go live: the field for the code, or who may do it. Shows `error` where the code is wrong. */
export function LaunchGate({ path, code, onCode, error }: GateProps) {
  const t = useLaunchTexts()
  const { needsCode, isRefused } = useLaunch()
  const isWrong = isCodeWrong(error)
  if (isRefused)
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        {t('adminOnly')}
      </Text>
    )
  // The setting may have changed since it was read: then the refusal says so.
  return needsCode || isWrong ? <CodeField path={path} value={code} onChange={onCode} isWrong={isWrong} /> : null
}

type CodeProps = { path: string; value: string; onChange: (code: string) => void; isWrong: boolean }

/** The code that is sent to the member who makes it go live. */
function CodeField({ path, value, onChange, isWrong }: CodeProps) {
  const t = useLaunchTexts()
  const format = useFormat()
  const send = useWrite<void, LaunchCode>(() => ({ method: 'POST', path: `${path}/launch-otp`, body: {} }), {
    stale: [],
    showsError: true,
  })
  return (
    <Stack gap="xs">
      <Text size="sm">{t('text')}</Text>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('code')}
          value={value}
          onChange={({ currentTarget }) => onChange(latinDigits(currentTarget.value))}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          dir="ltr"
          w={160}
          error={isWrong}
        />
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          {t(send.isSuccess ? 'again' : 'send')}
        </Button>
      </Group>
      {isWrong && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('wrong')}
        </Text>
      )}
      {send.data && (
        <Text size="sm" c="dimmed" role="status">
          {t('sent', { to: send.data.sentTo, at: format.clock(send.data.expiresAt) })}
        </Text>
      )}
      {send.error && <Failure error={send.error} />}
    </Stack>
  )
}
