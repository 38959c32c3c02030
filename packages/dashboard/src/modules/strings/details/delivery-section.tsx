import { Group, Stack, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { usePages, useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { pathOf, STALE, type SensorAnswer, type SensorRequest, type StringItem } from '../api.ts'
import { SensorDecision } from './sensor-requests.tsx'
import { useTexts } from '../texts.ts'

/** Whether apps get the string, and whether its signals are taken. */
export function DeliverySection({ item }: { item: StringItem }) {
  const t = useTexts()
  const { mayEdit, mayApprove } = useSession()
  const approval = useRead<{ required: boolean }>('/settings/sensor-approval')
  const requests = usePages<SensorRequest>('/strings/sensor-requests', 'requests', { limit: 200 })
  const request = requests.items.find(({ key }) => key === item.key)
  const needsApproval = approval.data?.required === true && !mayApprove && !item.sensor
  const hide = useWrite<boolean>((hidden) => ({ path: pathOf(item.key), method: 'PUT', body: { hidden } }), { stale: STALE })
  const turn = useWrite<boolean, SensorAnswer>((enabled) => ({ path: `${pathOf(item.key)}/sensor`, method: 'PUT', body: { enabled } }), {
    stale: STALE,
  })
  const turnSensor = (isOn: boolean) =>
    turn.mutate(isOn, {
      onSuccess: (answer) => {
        if ('requestId' in answer) notifications.show({ message: t('sensorAsked'), color: 'orange' })
      },
    })
  return (
    <Stack gap="md">
      <Switch
        label={t('delivered')}
        description={t('deliveredHint')}
        checked={!item.hidden}
        disabled={!mayEdit || hide.isPending}
        onChange={({ currentTarget }) => hide.mutate(!currentTarget.checked)}
      />
      <Switch
        label={t('sensor')}
        description={needsApproval ? `${t('sensorHint')} ${t('sensorNeedsApproval')}` : t('sensorHint')}
        checked={item.sensor}
        disabled={!mayEdit || turn.isPending || (request !== undefined && !mayApprove)}
        onChange={({ currentTarget }) => turnSensor(currentTarget.checked)}
      />
      {request && (
        <Group gap="xs">
          <StateBadge state="review" />
          <SensorDecision request={request} />
        </Group>
      )}
      {!mayEdit && (
        <Text size="xs" c="dimmed">
          {t('viewerHint')}
        </Text>
      )}
    </Stack>
  )
}
