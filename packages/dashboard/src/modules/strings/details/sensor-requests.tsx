import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { usePages, useWrite, type Pages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { pathOf, STALE, type Member, type SensorRequest } from '../api.ts'
import { KeyLink } from '../key-link.tsx'
import { useTexts } from '../texts.ts'

export function useSensorRequests(): Pages<SensorRequest> {
  return usePages<SensorRequest>('/strings/sensor-requests', 'requests', { limit: 20 })
}

/** Sensors that wait for a member with approval rights. Hidden when there are none. */
export function SensorRequests({ requests, onOpen }: { requests: Pages<SensorRequest>; onOpen: (key: string) => void }) {
  const t = useTexts()
  const format = useFormat()
  if (requests.error && requests.items.length === 0) return <Failure error={requests.error} onRetry={requests.retry} />
  if (requests.items.length === 0) return null
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Title order={2} size="h3">
          {t('waitingSensors', {
            count: requests.total ?? requests.items.length,
            number: format.number(requests.total ?? requests.items.length),
          })}
        </Title>
        {requests.items.map((request) => (
          <Group key={request.id} justify="space-between" gap="xs">
            <KeyLink name={request.key} onOpen={onOpen} />
            <SensorDecision request={request} />
          </Group>
        ))}
        {requests.hasMore && (
          <Button size="xs" variant="default" loading={requests.isMoreLoading} onClick={requests.loadMore}>
            {t('showMore')}
          </Button>
        )}
      </Stack>
    </Paper>
  )
}

/** Who asked, and the possible decisions: another member approves, the one who asked may withdraw. */
export function SensorDecision({ request }: { request: SensorRequest }) {
  const t = useTexts()
  const { me, mayApprove } = useSession()
  const members = usePages<Member>('/members', 'members').items
  const isOwn = request.requestedBy === me.user.userId
  const name = members.find(({ userId }) => userId === request.requestedBy)?.name ?? t('formerMember')
  const path = `${pathOf(request.key)}/sensor`
  const approve = useWrite<void>(() => ({ path: `${path}/approve`, method: 'POST' }), { stale: STALE, done: t('sensorApproved') })
  const drop = useWrite<void>(() => ({ path: `${path}/request`, method: 'DELETE' }), { stale: STALE })
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" component="span">
        {isOwn ? t('youAsked') : t('askedBy', { name })} · <Moment at={request.createdAt} />
      </Text>
      {mayApprove && !isOwn && (
        <Button
          size="compact-sm"
          loading={approve.isPending}
          onClick={() => approve.mutate()}
          aria-label={t('approveSensorOf', { key: request.key })}
        >
          {t('approve')}
        </Button>
      )}
      {(mayApprove || isOwn) && (
        <Button
          size="compact-sm"
          variant="default"
          loading={drop.isPending}
          onClick={() => drop.mutate()}
          aria-label={t(isOwn ? 'withdrawSensorOf' : 'refuseSensorOf', { key: request.key })}
        >
          {t(isOwn ? 'withdraw' : 'refuse')}
        </Button>
      )}
      {!mayApprove && <Text size="xs">{t('anotherApproves')}</Text>}
    </Group>
  )
}
