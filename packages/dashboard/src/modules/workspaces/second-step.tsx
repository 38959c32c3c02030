import { Button, Divider, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call, type FirstStep } from '../../api.ts'
import { askForPasskey, canUsePasskeys } from '../../passkeys.ts'
import { useInstallation, type Me } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useSecondTexts } from './texts-second.ts'

/** `next`: the new password, where the present one has to be changed first. `isPage`: not over another one. */
type Props = { first: FirstStep; next?: string | undefined; isPage?: boolean; onDone: (me: Me) => void; onBack: () => void }

/** What is asked after a right password, of accounts with a second factor. */
export function SecondStep({ first: { challenge, authenticator, passkey }, next, isPage = false, onDone, onBack }: Props) {
  const t = useSecondTexts()
  const [code, setCode] = useState('')
  const answer = useSecondAnswer({ challenge, ...(next !== undefined && { next }) }, onDone)
  const hasPasskey = passkey !== undefined && canUsePasskeys()
  const lead = hasPasskey ? t(authenticator ? 'leadBoth' : 'leadRecovery') : t(authenticator ? 'lead' : 'leadCodes')
  const field = useRef<HTMLInputElement>(null)
  // A window gives its field the focus itself.
  const takesFocus = isPage && !hasPasskey
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer.mutate(async () => ({ otp: code }))
      }}
    >
      <Stack>
        <div>
          {isPage && <Title order={1}>{t('title')}</Title>}
          <Text c="dimmed" size="sm">
            {lead}
          </Text>
        </div>
        {hasPasskey && (
          <Button
            variant={authenticator ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={answer.isPending}
            onClick={() => answer.mutate(async () => credentialOf(passkey, t('cancelled')))}
          >
            {t('usePasskey')}
          </Button>
        )}
        <TextInput
          label={t(authenticator ? 'code' : 'recoveryCode')}
          required
          maxLength={60}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          ref={field}
          data-autofocus
        />
        {answer.error && <Failure error={answer.error} />}
        <Button type="submit" variant={hasPasskey && !authenticator ? 'default' : 'filled'} loading={answer.isPending} fullWidth>
          {t('submit')}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t('back')}
        </Button>
      </Stack>
    </form>
  )
}

async function credentialOf(options: PublicKeyCredentialRequestOptionsJSON, cancelled: string): Promise<object> {
  const credential = await askForPasskey(options)
  if (!credential) throw new Error(cancelled)
  return { credential }
}

function useSecondAnswer(asked: object, onDone: (me: Me) => void) {
  const t = useSecondTexts()
  const answer = useMutation<Me, Error, () => Promise<object>>({
    mutationFn: async (find) => (await call<Me>('/auth/login/second', { method: 'POST', body: { ...asked, ...(await find()) } })).data,
    onSuccess: onDone,
  })
  return { ...answer, error: answer.error && inWords(answer.error, t) }
}

/** Signs in without a name and a password, where this server and this browser have passkeys. `isApart`: below something else. */
export function PasskeyButton({ isApart = false, onDone }: { isApart?: boolean; onDone: (me: Me) => void }) {
  const t = useSecondTexts()
  const installation = useInstallation()
  const enter = usePasskeySignIn(onDone)
  if (!installation?.hasPasskeys || !canUsePasskeys()) return null
  return (
    <>
      {isApart && <Divider label={t('or')} />}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
      >
        {t('signInByPasskey')}
      </Button>
      {enter.error && <Failure error={enter.error} />}
    </>
  )
}

function usePasskeySignIn(onDone: (me: Me) => void) {
  const t = useSecondTexts()
  const enter = useMutation<Me>({
    mutationFn: async () => {
      const { data: options } = await call<PublicKeyCredentialRequestOptionsJSON>('/auth/passkeys/sign-in/options', { method: 'POST' })
      const body = await credentialOf(options, t('cancelled'))
      return (await call<Me>('/auth/passkeys/sign-in', { method: 'POST', body })).data
    },
    onSuccess: onDone,
  })
  return { ...enter, error: enter.error && inWords(enter.error, t) }
}

const WORDS: Record<string, 'wrong' | 'over' | 'refused'> = { OTP_WRONG: 'wrong', SIGN_IN_OVER: 'over', PASSKEY_REFUSED: 'refused' }

function inWords(error: Error, t: ReturnType<typeof useSecondTexts>): Error {
  const said = error instanceof ApiError && error.code !== undefined ? WORDS[error.code] : undefined
  return said ? new Error(t(said)) : error
}
