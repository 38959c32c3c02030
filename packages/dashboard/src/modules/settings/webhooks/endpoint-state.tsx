import { Badge, Text } from '@mantine/core'
import { useFormat } from '../../../format.ts'
import type { Webhook, WebhookDelivery } from '../api.ts'
import { useWebhookTexts } from './texts.ts'

const LOOKS = { on: 'green', off: 'gray', failing: 'yellow', givenUp: 'red', pending: 'blue', delivered: 'green', failed: 'red' } as const

/** Whether events are sent to an endpoint, in a word. */
export function EndpointState({ endpoint: { active, failingSince, givenUpAt } }: { endpoint: Webhook }) {
  const t = useWebhookTexts()
  const state = givenUpAt !== null ? 'givenUp' : !active ? 'off' : failingSince !== null ? 'failing' : 'on'
  return <Mark colour={LOOKS[state]} text={t(`state_${state}`)} />
}

export function DeliveryState({ status }: Pick<WebhookDelivery, 'status'>) {
  const t = useWebhookTexts()
  return <Mark colour={LOOKS[status]} text={t(`status_${status}`)} />
}

function Mark({ colour, text }: { colour: string; text: string }) {
  return (
    <Badge color={colour} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {text}
    </Badge>
  )
}

export function NextAttempt({ at }: { at: string | null }) {
  const t = useWebhookTexts()
  const format = useFormat()
  if (at === null) return null
  return (
    <Text size="sm" c="dimmed">
      {Date.parse(at) - Date.now() < 1_000 ? t('nextNow') : t('nextAttempt', { when: format.ago(at) })}
    </Text>
  )
}
