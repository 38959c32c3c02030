import { Alert, Anchor, Button, Card, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../api.ts'
import { useInstallation } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { useTexts } from './texts.ts'

/** Asks for a link to a new password, or says who makes one where this server sends no mail. */
export function ForgotPage() {
  const t = useTexts()
  const installation = useInstallation()
  useDocumentTitle(`${t('forgotTitle')} · ContentFlow`)
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <Title order={1}>{t('forgotTitle')}</Title>
          {installation && (installation.resetsByMail ? <AskForm /> : <Text size="sm">{t('forgotWithoutMail')}</Text>)}
          <Anchor component={Link} to="/login" size="sm">
            {t('backToSignIn')}
          </Anchor>
        </Stack>
      </Card>
    </Door>
  )
}

function AskForm() {
  const t = useTexts()
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => call('/auth/password-reset', { method: 'POST', body: { email: email.trim() } }) })
  if (ask.isSuccess)
    return (
      <Alert role="status" color="teal" icon={<IconMail aria-hidden />} title={t('linkSent')}>
        {t('linkSentText')}
      </Alert>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
    >
      <Stack>
        <Text c="dimmed" size="sm">
          {t('forgotLead')}
        </Text>
        <TextInput
          label={t('email')}
          type="email"
          required
          maxLength={254}
          autoComplete="username"
          dir="ltr"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        {ask.error && <Failure error={ask.error} />}
        <Button type="submit" loading={ask.isPending} fullWidth>
          {t('sendLink')}
        </Button>
      </Stack>
    </form>
  )
}
