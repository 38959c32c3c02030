import { Box, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useRead, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import type { Webhook, WebhookDeliveryPage } from '../api.ts'
import classes from '../settings.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { DeliveryState, NextAttempt } from './endpoint-state.tsx'
import { pathOf, WEBHOOKS } from './paths.ts'
import { useWebhookTexts } from './texts.ts'

/** One delivery: what was sent, and each attempt with what came back. */
export function DeliveryDialog({ endpoint, id, onClose }: { endpoint: Webhook; id: string; onClose: () => void }) {
  const t = useWebhookTexts()
  const path = `${pathOf(endpoint.id)}/deliveries/${encodeURIComponent(id)}`
  const read = useRead<WebhookDeliveryPage>(path, {}, { every: 3_000 })
  return (
    <Dialog opened onClose={onClose} title={read.data ? t(`event_${read.data.event as 'webhook.ping'}`) : t('delivery')} size="lg">
      <Loaded read={read} height={320}>
        {(data) => (
          <Stack>
            <Group gap="sm">
              <DeliveryState status={data.status} />
              <Text size="sm" c="dimmed" component="span">
                <Moment at={data.createdAt} exact />
              </Text>
              <NextAttempt at={data.nextAttemptAt} />
            </Group>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {t('deliveryId')}
              </Text>
              <CopyField value={data.id} label={t('deliveryId')} />
            </Group>
            <Attempts attempts={data.attempts} />
            <Stack gap={6}>
              <Title order={3}>{t('request')}</Title>
              <Text size="sm" c="dimmed">
                {t('requestText')}
              </Text>
              <CodeBlock label={t('request')} text={readable(data.request.body)} />
            </Stack>
            <SendAgain endpoint={endpoint} path={path} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

function Attempts({ attempts }: Pick<WebhookDeliveryPage, 'attempts'>) {
  const t = useWebhookTexts()
  const format = useFormat()
  return (
    <Stack gap="xs">
      <Title order={3}>{t('attempts')}</Title>
      {attempts.length === 0 && <Text size="sm">{t('noAttempts')}</Text>}
      <Stack gap="sm" component="ol" className={classes.plain}>
        {attempts
          .map((attempt, index) => ({ ...attempt, number: index + 1 }))
          .toReversed()
          .map(({ number, at, ms, status, error, answer = '' }) => (
            <Stack key={number} gap={4} component="li">
              <Text size="sm" component="div">
                <Text span fw={600} inherit>
                  {t('attempt', { number: format.number(number) })}:
                </Text>{' '}
                <bdi>{status === null ? t('noAnswer') : t('answered', { status })}</bdi> ·{' '}
                <bdi>{t('took', { number: format.number(ms) })}</bdi> · <Moment at={at} />
              </Text>
              {error !== undefined && (
                <Text size="sm" dir="ltr" className="cf-foreign" c="red">
                  {error}
                </Text>
              )}
              {answer !== '' && <CodeBlock label={`${t('answer')}: ${t('attempt', { number: format.number(number) })}`} text={answer} />}
            </Stack>
          ))}
      </Stack>
    </Stack>
  )
}

function SendAgain({ endpoint, path }: { endpoint: Webhook; path: string }) {
  const t = useWebhookTexts()
  const { mayAdmin } = useSession()
  const resend = useWrite<void>(() => ({ method: 'POST', path: `${path}/resend` }), { stale: [WEBHOOKS], done: t('resent') })
  if (!mayAdmin || !endpoint.active) return null
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {t('resendText')}
      </Text>
      <Button leftSection={<IconRefresh size={16} aria-hidden />} loading={resend.isPending} onClick={() => resend.mutate()}>
        {t('resend')}
      </Button>
    </Group>
  )
}

function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <Box dir="ltr">
      <Code
        block
        tabIndex={0}
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 260, overflowY: 'auto' }}
      >
        {text}
      </Code>
    </Box>
  )
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
