import { Alert, Anchor, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { call } from '../../api.ts'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { useNewPassword } from './new-password.tsx'
import { useTexts } from './texts.ts'

/** The page behind a link to a new password. Its secret is after the `#`, which no browser sends to a server. */
export function ResetPage() {
  const t = useTexts()
  const { hash } = useLocation()
  const { next, fields, check } = useNewPassword()
  const reset = useMutation({
    mutationFn: () => call('/auth/password-reset', { method: 'PUT', body: { token: hash.slice(1), next } }),
    // The secret was used, so it is removed from address and history.
    onSuccess: () => window.history.replaceState(window.history.state, '', window.location.pathname),
  })
  useDocumentTitle(`${t('resetTitle')} · ContentFlow`)
  return (
    <Door>
      <Card withBorder padding="lg">
        {reset.isSuccess ? (
          <Stack>
            <Title order={1}>{t('resetTitle')}</Title>
            <Alert role="status" color="teal" icon={<IconCheck aria-hidden />} title={t('resetDone')}>
              {t('resetDoneText')}
            </Alert>
            <Button component={Link} to="/login" fullWidth>
              {t('submit')}
            </Button>
          </Stack>
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (check()) reset.mutate()
            }}
          >
            <Stack>
              <div>
                <Title order={1}>{t('resetTitle')}</Title>
                <Text c="dimmed" size="sm">
                  {t('resetLead')}
                </Text>
              </div>
              {fields}
              {reset.error && <Failure error={reset.error} />}
              <Button type="submit" loading={reset.isPending} fullWidth>
                {t('setPassword')}
              </Button>
              <Anchor component={Link} to="/forgot-password" size="sm">
                {t('askAnew')}
              </Anchor>
            </Stack>
          </form>
        )}
      </Card>
    </Door>
  )
}
