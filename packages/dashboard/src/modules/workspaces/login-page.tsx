import { Anchor, Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError, call, type FirstStep } from '../../api.ts'
import { browserCalendar } from '../../calendar.ts'
import { ME, tellSignedIn, useInstallation, type Me } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { ProviderButtons, ProviderFault } from './providers.tsx'
import { useNewPassword } from './new-password.tsx'
import { PasskeyButton, SecondStep } from './second-step.tsx'
import { useTexts } from './texts.ts'

/** Signs in; in an installation without accounts it opens the first one. */
export function LoginPage() {
  const t = useTexts()
  const installation = useInstallation()
  const [params] = useSearchParams()
  const isNew = installation?.mayOpenFirstAccount ?? false
  useDocumentTitle(`${t('title')} · ContentFlow`)
  return (
    <Door>
      <ProviderFault code={params.get('error')} />
      <Card withBorder padding="lg">
        <EntryForm isNew={isNew} needsSetupToken={installation?.needsSetupToken ?? false} />
      </Card>
      {!isNew && (
        <Group justify="space-between" gap="xs">
          <Anchor component={Link} to="/forgot-password" size="sm">
            {t('forgot')}
          </Anchor>
          <Text size="sm" c="dimmed">
            {t('help')}
          </Text>
        </Group>
      )}
    </Door>
  )
}

function EntryForm({ isNew, needsSetupToken }: { isNew: boolean; needsSetupToken: boolean }) {
  const t = useTexts()
  const onEntered = useEntered()
  const [params] = useSearchParams()
  const [form, setForm] = useState({ email: '', password: '', name: '', workspaceName: '', setupToken: '' })
  const set = (name: keyof typeof form) => ({
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setForm((before) => ({ ...before, [name]: currentTarget.value })),
  })
  const [mustChange, setMustChange] = useState(false)
  const [first, setFirst] = useState<FirstStep>()
  const { next, fields, check } = useNewPassword()
  const enter = useMutation({
    mutationFn: async () => {
      const { email, password, setupToken, ...names } = form
      const token = needsSetupToken && { setupToken }
      if (isNew) await call('/auth/signup', { method: 'POST', body: { email, password, ...names, ...token, calendar: browserCalendar() } })
      return (await call<Me>('/auth/session', { method: 'POST', body: { email, password, ...(mustChange && { next }) } })).data
    },
    onSuccess: onEntered,
    onError: (error) => {
      if (!(error instanceof ApiError)) return
      if (error.firstStep) setFirst(error.firstStep)
      if (error.code === 'PASSWORD_CHANGE_REQUIRED') setMustChange(true)
    },
  })
  const refusal = enter.error instanceof ApiError ? enter.error : undefined
  if (first) {
    const back = () => (setFirst(undefined), enter.reset())
    return <SecondStep isPage first={first} next={mustChange ? next : undefined} onDone={(me) => void onEntered(me)} onBack={back} />
  }
  if (mustChange)
    return (
      <OwnPassword
        fields={fields}
        isBusy={enter.isPending}
        error={refusal?.code === 'PASSWORD_CHANGE_REQUIRED' ? null : enter.error}
        onSubmit={() => check() && enter.mutate()}
      />
    )
  const said = refusal?.status === 401 ? t('wrong') : refusal?.code === 'SETUP_TOKEN_REQUIRED' ? t('setupTokenWrong') : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        enter.mutate()
      }}
    >
      <Stack>
        <div>
          <Title order={1}>{t(isNew ? 'signUpTitle' : 'title')}</Title>
          <Text c="dimmed" size="sm">
            {t(isNew ? 'signUpLead' : 'lead')}
          </Text>
        </div>
        {isNew && <TextInput label={t('name')} required maxLength={150} autoComplete="name" {...set('name')} />}
        {isNew && <TextInput label={t('workspaceName')} required maxLength={150} {...set('workspaceName')} />}
        <TextInput label={t('email')} type="email" required autoComplete="username" dir="ltr" {...set('email')} />
        <PasswordInput
          label={t('password')}
          required
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? 8 : undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('show') }}
          {...set('password')}
        />
        {isNew && needsSetupToken && (
          <TextInput
            label={t('setupToken')}
            description={t('setupTokenText')}
            required
            maxLength={200}
            autoComplete="off"
            dir="ltr"
            {...set('setupToken')}
          />
        )}
        {enter.error && <Failure error={said ? new Error(said) : enter.error} />}
        <Button type="submit" loading={enter.isPending} fullWidth>
          {t(isNew ? 'signUp' : 'submit')}
        </Button>
        {!isNew && <ProviderButtons email={form.email} returnTo={pageOf(params.get('from'))} />}
        {!isNew && <PasskeyButton isApart onDone={(me) => void onEntered(me)} />}
      </Stack>
    </form>
  )
}

/** What happens once somebody has signed in. */
function useEntered(): (me: Me) => Promise<void> {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [params] = useSearchParams()
  return async (me) => {
    client.clear()
    client.setQueryData(ME, me)
    // What signing in answers is not all of it.
    void client.invalidateQueries({ queryKey: ME, refetchType: 'none' })
    tellSignedIn(me.user.userId)
    // Only a path of this dashboard: an address from outside could lead to another host.
    const from = params.get('from')
    if (params.get('error') === 'link_required') await navigate('/link-account', { replace: true })
    else if (from === '/join' || from === '/confirm-email')
      await navigate({ pathname: from, hash: window.location.hash }, { replace: true })
    else await navigate(pageOf(from), { replace: true })
  }
}

/** Where a provider leads back to. The pages of links need what stands behind `#` in their address, which it does not keep. */
function pageOf(from: string | null): string {
  return from !== null && (from.startsWith('/w/') || /^\/device(\?code=[\w-]{1,40})?$/.test(from)) ? from : '/'
}

type OwnPasswordProps = { fields: ReactNode; isBusy: boolean; error: Error | null; onSubmit: () => void }

/** Shown before the first sign-in of a member who got a password from somebody else, or whose password is easily guessed. */
function OwnPassword({ fields, isBusy, error, onSubmit }: OwnPasswordProps) {
  const t = useTexts()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack>
        <div>
          <Title order={1}>{t('ownTitle')}</Title>
          <Text c="dimmed" size="sm">
            {t('ownLead')}
          </Text>
        </div>
        {fields}
        {error && <Failure error={error} />}
        <Button type="submit" loading={isBusy} fullWidth>
          {t('ownSubmit')}
        </Button>
      </Stack>
    </form>
  )
}
