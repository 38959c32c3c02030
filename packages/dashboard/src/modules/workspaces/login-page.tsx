import { Button, Card, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, call } from '../../api.ts'
import { browserCalendar } from '../../calendar.ts'
import { ME, type Me } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { useTexts } from './texts.ts'

/** Signs in; in an installation without accounts it opens the first one. */
export function LoginPage() {
  const t = useTexts()
  const { data: isNew = false } = useQuery({
    queryKey: ['installation'],
    queryFn: async () => (await call<{ mayOpenFirstAccount: boolean }>('/auth/installation')).data.mayOpenFirstAccount,
  })
  useDocumentTitle(`${t('title')} · ContentFlow`)
  return (
    <Door>
      <Card withBorder padding="lg">
        <EntryForm isNew={isNew} />
      </Card>
      {!isNew && (
        <Text size="sm" c="dimmed">
          {t('help')}
        </Text>
      )}
    </Door>
  )
}

function EntryForm({ isNew }: { isNew: boolean }) {
  const t = useTexts()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [params] = useSearchParams()
  const [form, setForm] = useState({ email: '', password: '', name: '', workspaceName: '' })
  const set = (name: keyof typeof form) => ({
    value: form[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setForm((before) => ({ ...before, [name]: currentTarget.value })),
  })
  const enter = useMutation({
    mutationFn: async () => {
      const { email, password } = form
      if (isNew) await call('/auth/signup', { method: 'POST', body: { ...form, calendar: browserCalendar() } })
      return (await call<Me>('/auth/session', { method: 'POST', body: { email, password } })).data
    },
    onSuccess: async (me) => {
      client.clear()
      client.setQueryData(ME, me)
      // Only a path of this dashboard: an address from outside could name another host.
      const from = params.get('from')
      if (from === '/join') await navigate({ pathname: from, hash: window.location.hash }, { replace: true })
      else await navigate(from?.startsWith('/w/') ? from : '/', { replace: true })
    },
  })
  const isWrong = enter.error instanceof ApiError && enter.error.status === 401
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
        {enter.error && <Failure error={isWrong ? new Error(t('wrong')) : enter.error} />}
        <Button type="submit" loading={enter.isPending} fullWidth>
          {t(isNew ? 'signUp' : 'submit')}
        </Button>
      </Stack>
    </form>
  )
}
