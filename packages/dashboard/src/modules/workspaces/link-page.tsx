import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import type { WaitingLink } from '@contentflow/server/wire.ts'
import { ApiError, call } from '../../api.ts'
import { useMe } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Door } from './door.tsx'
import { startOf } from './providers.tsx'
import { useProviderTexts } from './texts-provider.ts'

/** Asks somebody who has just signed in whether the identity at a provider that waits in this browser is theirs. */
export function LinkPage() {
  const t = useProviderTexts()
  const { data: me, error } = useMe()
  const waiting = useQuery({
    queryKey: ['link'],
    queryFn: async ({ signal }) => (await call<WaitingLink>('/auth/link', { signal })).data,
    enabled: me !== undefined,
  })
  const link = useMutation({
    mutationFn: async () => call('/auth/link', { method: 'POST', body: {} }),
    // Known there already, they come back at once, with what their groups give them.
    onSuccess: () => {
      const id = waiting.data?.waiting?.provider.id
      if (id !== undefined) location.assign(startOf(id, '/'))
    },
  })
  useDocumentTitle(`${t('linkTitle')} · ContentFlow`)
  if (error instanceof ApiError && error.status === 401) return <Navigate to="/login?error=link_required" replace />
  return (
    <Door>
      <Card withBorder padding="lg">
        <Stack>
          <Title order={1}>{t('linkTitle')}</Title>
          <Loaded read={waiting} height={120}>
            {({ waiting: found }) =>
              found ? (
                <Stack>
                  <Text size="sm">{t('linkLead', { name: found.provider.name, email: me?.user.email ?? '' })}</Text>
                  {found.email !== null && (
                    <Text size="sm">
                      {t('linkIdentity', { name: found.provider.name })} <bdi>{found.email}</bdi>
                    </Text>
                  )}
                  {link.error && <Failure error={link.error} />}
                </Stack>
              ) : (
                <Text size="sm">{t('linkNone')}</Text>
              )
            }
          </Loaded>
          <Group justify="flex-end">
            <Button component={Link} to="/" variant="default">
              {t('linkLater')}
            </Button>
            {waiting.data?.waiting && (
              <Button onClick={() => link.mutate()} loading={link.isPending}>
                {t('link')}
              </Button>
            )}
          </Group>
        </Stack>
      </Card>
    </Door>
  )
}
