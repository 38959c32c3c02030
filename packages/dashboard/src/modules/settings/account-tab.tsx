import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../data.ts'
import { useSession, useSignOut } from '../../session.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Section } from '../../ui/section.tsx'
import { DeleteAccount } from './account/delete-account.tsx'
import { useAccountTexts } from './account/texts-account.ts'
import { useSecurityTexts } from './account/texts-security.ts'
import { YourAddress } from './account/your-address.tsx'
import { YourSecondFactors } from './account/your-second-factors.tsx'
import { YourSessions } from './account/your-sessions.tsx'
import { NameForm } from './workspace/name-form.tsx'
import { useTexts } from './texts.ts'

export function AccountTab() {
  const t = useTexts()
  const a = useAccountTexts()
  const s = useSecurityTexts()
  return (
    <>
      <Section title={t('you')} text={t('youText')}>
        <YourName />
      </Section>
      <Section title={t('password')} text={t('passwordText')}>
        <YourPassword />
      </Section>
      <Section title={s('security')} text={s('securityText')} anchor="security">
        <YourSecondFactors />
      </Section>
      <Section title={a('address')} text={a('addressText')}>
        <YourAddress />
      </Section>
      <Section title={t('sessions')} text={t('sessionsText')}>
        <YourSessions />
        <SignOutEverywhere />
      </Section>
      <Section title={a('delete')} text={a('deleteText')}>
        <DeleteAccount />
      </Section>
    </>
  )
}

function YourName() {
  const t = useTexts()
  const { user } = useSession().me
  return (
    <NameForm current={user.name} path="/auth/me" stale={['/members']} autoComplete="name">
      <div>
        <Text size="sm" fw={500}>
          {t('email')}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{user.email}</bdi>
        </Text>
      </div>
    </NameForm>
  )
}

type Passwords = { current: string; next: string; again: string }
const NOTHING: Passwords = { current: '', next: '', again: '' }

function YourPassword() {
  const t = useTexts()
  const { me } = useSession()
  const form = useForm<Passwords>({
    initialValues: NOTHING,
    validate: {
      next: (text) => (text.length < LIMITS.passwordMinLength ? t('passwordShort', { min: LIMITS.passwordMinLength }) : null),
      again: (text, { next }) => (text === next ? null : t('passwordDiffers')),
    },
  })
  const change = useWrite<Passwords>(({ current, next }) => ({ method: 'PUT', path: '/auth/password', body: { current, next } }), {
    stale: [],
    done: t('passwordChanged'),
    showsError: true,
  })
  const isWrong = change.error?.code === 'PASSWORD_WRONG'
  const show = { 'aria-label': t('passwordShow') }
  const isEmpty = Object.values(form.values).includes('')
  return (
    <form onSubmit={form.onSubmit((sent) => change.mutate(sent, { onSuccess: () => form.setValues(NOTHING) }))} noValidate>
      <Stack gap="sm" maw={480}>
        {/* Tells password stores whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={me.user.email} readOnly hidden />
        <PasswordInput
          label={t('passwordCurrent')}
          autoComplete="current-password"
          visibilityToggleButtonProps={show}
          {...form.getInputProps('current')}
          error={isWrong ? t('passwordWrong') : undefined}
        />
        <PasswordInput
          label={t('passwordNext')}
          maxLength={200}
          description={t('passwordRule', { min: LIMITS.passwordMinLength })}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
          {...form.getInputProps('next')}
        />
        <PasswordInput
          label={t('passwordAgain')}
          autoComplete="new-password"
          visibilityToggleButtonProps={show}
          {...form.getInputProps('again')}
        />
        {change.error && !isWrong && <Failure error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={isEmpty}>
            {t('passwordChange')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function SignOutEverywhere() {
  const t = useTexts()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const leave = async () => {
    setBusy(true)
    try {
      await signOut(true)
      await navigate('/login')
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)))
      setAsking(false)
      setBusy(false)
    }
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('signOutEverywhere')}
      </Button>
      {error && <Failure error={error} />}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void leave()}
        title={t('signOutTitle')}
        action={t('signOutEverywhere')}
        isBusy={isBusy}
      >
        {t('signOutText')}
      </Confirm>
    </Stack>
  )
}
