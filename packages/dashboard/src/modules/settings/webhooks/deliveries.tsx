import { Anchor, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import type { Webhook, WebhookDelivery } from '../api.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryState, NextAttempt } from './endpoint-state.tsx'
import { pathOf } from './paths.ts'
import { useWebhookTexts } from './texts.ts'

const STATUSES = ['pending', 'delivered', 'failed'] as const

/** The deliveries of an endpoint, newest first; `?delivery=` opens one. */
export function Deliveries({ endpoint }: { endpoint: Webhook }) {
  const t = useWebhookTexts()
  const format = useFormat()
  const [status, setStatus] = useUrlState('status')
  const [open, setOpen] = useUrlState('delivery')
  const deliveries = usePages<WebhookDelivery>(
    `${pathOf(endpoint.id)}/deliveries`,
    'deliveries',
    { limit: 25, status },
    // Deliveries continue without this page.
    { every: 3_000 },
  )
  const columns = useDeliveryColumns()
  return (
    <Section title={t('deliveries')} text={t('deliveriesText', { days: format.number(LIMITS.webhookDeliveryDays) })}>
      <FilterSelect
        label={t('filter')}
        data={STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
        value={status}
        onChange={setStatus}
        width={180}
      />
      <Listing
        label={t('deliveries')}
        pages={deliveries}
        idOf={({ id }) => id}
        columns={columns}
        isFiltered={status !== ''}
        onClearFilters={() => setStatus('')}
        empty={<EmptyState icon={IconSend} title={t('noDeliveriesTitle')} text={t('noDeliveriesText')} />}
      />
      {open !== '' && <DeliveryDialog key={open} endpoint={endpoint} id={open} onClose={() => setOpen('')} />}
    </Section>
  )
}

function useDeliveryColumns(): Column<WebhookDelivery>[] {
  const t = useWebhookTexts()
  const format = useFormat()
  const [params] = useSearchParams()
  const toOpen = (id: string) => {
    const next = new URLSearchParams(params)
    next.set('delivery', id)
    return `?${next}`
  }
  return [
    {
      id: 'event',
      title: t('event'),
      cell: ({ id, event, createdAt }) => (
        <Stack gap={2} align="start">
          <Anchor component={Link} to={toOpen(id)} size="sm" fw={600}>
            {t(`event_${event as 'webhook.ping'}`)}
          </Anchor>
          <Text size="sm" c="dimmed" hiddenFrom="sm" component="div">
            <Moment at={createdAt} />
          </Text>
        </Stack>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: (delivery) => (
        <Stack gap={2} align="start">
          <DeliveryState status={delivery.status} />
          <NextAttempt at={delivery.nextAttemptAt} />
        </Stack>
      ),
    },
    {
      id: 'answer',
      title: t('lastAnswer'),
      isExtra: true,
      cell: ({ attempts }) => {
        const last = attempts.at(-1)
        return last ? (last.status === null ? t('noAnswer') : t('answered', { status: last.status })) : t('notTried')
      },
    },
    { id: 'attempts', title: t('attempts'), align: 'end', isExtra: true, cell: ({ attempts }) => format.number(attempts.length) },
    { id: 'when', title: t('when'), isExtra: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ]
}
