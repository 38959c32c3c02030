import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconPlus, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { usePages, useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Section } from '../../../ui/section.tsx'
import { useFormat } from '../../../format.ts'
import type { ShownWebhook, Webhook } from '../api.ts'
import { OnlyFor } from '../notes.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointSection } from './endpoint-section.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { pathOf, WEBHOOKS } from './paths.ts'
import { ShownSecret } from './shown-secret.tsx'
import { useWebhookTexts } from './texts.ts'

/** Servers that get events (M-HOOK, G-63); `?endpoint=` opens one of them with its deliveries. */
export function WebhooksTab() {
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<ShownWebhook & { isNew?: true }>()
  const endpoint = params.get('endpoint') ?? ''
  return (
    <>
      {endpoint === '' ? (
        <Endpoints onAdded={(added) => setShown({ ...added, isNew: true })} />
      ) : (
        <OneEndpoint id={endpoint} onRotated={setShown} />
      )}
      {shown && (
        <ShownSecret
          secret={shown.secret}
          isNew={shown.isNew === true}
          onClose={() => {
            setShown(undefined)
            if (shown.isNew) setParams({ endpoint: shown.id })
          }}
        />
      )}
    </>
  )
}

function Endpoints({ onAdded }: { onAdded: (added: ShownWebhook) => void }) {
  const t = useWebhookTexts()
  const { mayAdmin } = useSession()
  const [params, setParams] = useSearchParams()
  const endpoints = usePages<Webhook>(WEBHOOKS, 'webhooks', { limit: 50 }, { every: 15_000 })
  const isAdding = mayAdmin && params.has('new')
  const add = mayAdmin && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setParams({ new: 'endpoint' }, { replace: true })}>
      {t('add')}
    </Button>
  )
  return (
    <Section title={t('webhooks')} text={t('webhooksText')} aside={endpoints.items.length > 0 && add}>
      <Listing
        label={t('endpoints')}
        pages={endpoints}
        idOf={({ id }) => id}
        pathOf={({ id }) => `?endpoint=${id}`}
        columns={useEndpointColumns()}
        empty={
          <EmptyState icon={IconWebhook} title={t('emptyTitle')} text={t('emptyText')}>
            {add}
          </EmptyState>
        }
      />
      {!mayAdmin && <OnlyFor who="admins" />}
      {isAdding && (
        <EndpointForm
          onClose={() => setParams({}, { replace: true })}
          onSaved={(added) => {
            setParams({}, { replace: true })
            if ('secret' in added) onAdded(added)
          }}
        />
      )}
    </Section>
  )
}

function useEndpointColumns(): Column<Webhook>[] {
  const t = useWebhookTexts()
  const format = useFormat()
  return [
    {
      id: 'url',
      title: t('url'),
      cell: ({ id, url, description }) => (
        <Stack gap={2} align="start">
          <Anchor component={Link} to={`?endpoint=${id}`} size="sm" fw={600} className="cf-code" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Anchor>
          {description !== '' && (
            <Text size="sm" c="dimmed" dir="auto" className="cf-foreign">
              {description}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'events',
      title: t('events'),
      align: 'end',
      width: 120,
      isExtra: true,
      cell: ({ events }) => format.number(events.length),
    },
    { id: 'state', title: t('state'), width: 150, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  ]
}

function OneEndpoint({ id, onRotated }: { id: string; onRotated: (shown: ShownWebhook) => void }) {
  const t = useWebhookTexts()
  const read = useRead<Webhook>(pathOf(id), {}, { every: 3_000 })
  return (
    <>
      <Group>
        <Button
          component={Link}
          to="?"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden className="cf-mirrored" />}
        >
          {t('back')}
        </Button>
      </Group>
      <Loaded read={read} height={280}>
        {(endpoint) => (
          <>
            <Warning endpoint={endpoint} />
            <EndpointSection endpoint={endpoint} onRotated={onRotated} />
            <Deliveries endpoint={endpoint} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** Why nothing arrives, before anything else. */
function Warning({ endpoint: { givenUpAt, failingSince } }: { endpoint: Webhook }) {
  const t = useWebhookTexts()
  const format = useFormat()
  if (givenUpAt === null && failingSince === null) return null
  return (
    <Alert
      color={givenUpAt === null ? 'yellow' : 'red'}
      icon={<IconAlertTriangle aria-hidden />}
      title={t(givenUpAt === null ? 'failingTitle' : 'givenUpTitle')}
    >
      {givenUpAt === null ? t('failingText', { when: format.ago(failingSince ?? Date.now()) }) : t('givenUpText')}
    </Alert>
  )
}
