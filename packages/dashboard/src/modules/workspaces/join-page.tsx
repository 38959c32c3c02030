import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { ApiError, call } from '../../api.ts'
import { ME, useMe, type Workspace } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Door } from './door.tsx'
import { useTexts } from './texts.ts'

/** The page behind the link of an invitation. Its secret is after the `#`, which no browser sends to a server. */
export function JoinPage() {
  const t = useTexts()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data: me, error } = useMe()
  const join = useMutation({
    mutationFn: async () => (await call<Workspace>('/workspaces/join', { method: 'POST', body: { token: hash.slice(1) } })).data,
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ME })
      await navigate(`/w/${id}`, { replace: true })
    },
  })
  useDocumentTitle(`${t('joinTitle')} · ContentFlow`)
  if (error instanceof ApiError && error.status === 401)
    return <Navigate to={{ pathname: '/login', search: '?from=/join', hash }} replace />
  const isOver = join.error instanceof ApiError && join.error.status !== 0 && join.error.status < 500
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <div>
            <Title order={1}>{t('joinTitle')}</Title>
            <Text c="dimmed" size="sm">
              {t('joinLead')} <bdi>{me?.user.email}</bdi>
            </Text>
          </div>
          {error && <Failure error={error} />}
          {join.error && <Failure error={isOver ? new Error(t('joinOver')) : join.error} />}
          <Button onClick={() => join.mutate()} loading={join.isPending} disabled={!me} fullWidth>
            {t('join')}
          </Button>
        </Stack>
      </Card>
    </Door>
  )
}
