import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { ApiError, call } from '../../api.ts'
import { ME, useMe } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { useTexts } from './texts.ts'

/** The page behind the link to a new email address, for the signed-in member. */
export function ConfirmEmailPage() {
  const t = useTexts()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data: me, error } = useMe()
  const confirm = useMutation({
    mutationFn: () => call('/auth/email', { method: 'PUT', body: { token: hash.slice(1) } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ME })
      await navigate('/', { replace: true })
    },
  })
  useDocumentTitle(`${t('confirmTitle')} · ContentFlow`)
  if (error instanceof ApiError && error.status === 401)
    return <Navigate to={{ pathname: '/login', search: '?from=/confirm-email', hash }} replace />
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <div>
            <Title order={1}>{t('confirmTitle')}</Title>
            <Text c="dimmed" size="sm">
              {t('confirmLead')} <bdi>{me?.user.email}</bdi>
            </Text>
          </div>
          {error && <Failure error={error} />}
          {confirm.error && <Failure error={confirm.error} />}
          <Button onClick={() => confirm.mutate()} loading={confirm.isPending} disabled={!me} fullWidth>
            {t('confirmAddress')}
          </Button>
        </Stack>
      </Card>
    </Door>
  )
}
