import type { ErasureRequest } from '@contentflow/server/wire.ts'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { EnvironmentBadge } from '../../../ui/state-badge.tsx'
import { useErasureRequestTexts } from './texts-erasure-requests.ts'
import { personPath } from '../../../person-path.ts'

const PATH = '/erasure-requests'

type Decision = { request: ErasureRequest; word: 'confirm' | 'reject' }

/** Erasures that wait for the person or an admin; nothing where none does. */
export function ErasureRequests() {
  const t = useErasureRequestTexts()
  const { mayAdmin } = useSession()
  const requests = usePages<ErasureRequest>(PATH, 'requests', { state: 'open' })
  const [deciding, setDeciding] = useState<Decision>()
  const decide = useWrite<Decision>(
    ({ request, word }) => ({ method: 'POST', path: `${PATH}/${encodeURIComponent(request.id)}/${word}` }),
    {
      stale: [PATH, '/erasures'],
      done: (_data, { word }) => t(`done_${word}`),
      showsError: true,
    },
  )
  if (requests.items.length === 0 && !requests.error) return null
  const { request, word = 'confirm' } = deciding ?? {}
  return (
    <Section title={t('title')} text={t('text')}>
      <Listing
        label={t('title')}
        pages={requests}
        columns={columnsOf(t, mayAdmin ? setDeciding : undefined)}
        idOf={({ id }) => id}
        empty={null}
      />
      {!mayAdmin && (
        <Text size="sm" c="dimmed">
          {t('onlyAdmins')}
        </Text>
      )}
      <Confirm
        isOpen={request !== undefined}
        onClose={() => (decide.reset(), setDeciding(undefined))}
        onConfirm={() => deciding && decide.mutate(deciding, { onSuccess: () => setDeciding(undefined) })}
        title={t(`title_${word}`)}
        action={t(word)}
        isDangerous={word === 'confirm'}
        isBusy={decide.isPending}
      >
        <Stack gap="sm">
          <Text size="sm">{t(`text_${word}`, { id: request?.userId ?? '' })}</Text>
          {decide.error && <Failure error={decide.error} />}
        </Stack>
      </Confirm>
    </Section>
  )
}

function columnsOf(
  t: ReturnType<typeof useErasureRequestTexts>,
  onDecide: ((decision: Decision) => void) | undefined,
): Column<ErasureRequest>[] {
  const columns: Column<ErasureRequest>[] = [
    { id: 'person', title: t('person'), cell: (request) => <Person of={request} t={t} /> },
    { id: 'requested', title: t('requested'), isExtra: true, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    { id: 'asked', title: t('asked'), isExtra: true, cell: ({ mailedAt }) => (mailedAt ? <Moment at={mailedAt} /> : t('notAsked')) },
    { id: 'expires', title: t('expires'), isExtra: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  ]
  if (!onDecide) return columns
  return [
    ...columns,
    {
      id: 'decide',
      title: <span className="cf-visually-hidden">{t('decision')}</span>,
      align: 'end',
      cell: (request) => (
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={() => onDecide({ request, word: 'reject' })}>
            {t('reject')}
          </Button>
          <Button size="xs" color="red" variant="light" onClick={() => onDecide({ request, word: 'confirm' })}>
            {t('confirm')}
          </Button>
        </Group>
      ),
    },
  ]
}

/** A person who still exists has a page. */
function Person({ of: { userId, environment, ...request }, t }: { of: ErasureRequest; t: ReturnType<typeof useErasureRequestTexts> }) {
  const { workspace } = useSession()
  return (
    <>
      <Group gap="xs">
        {userId !== null && (
          <Anchor
            component={Link}
            to={`/w/${workspace.id}${personPath({ userId })}${environment === 'test' ? '?environment=test' : ''}`}
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            <bdi>{userId}</bdi>
          </Anchor>
        )}
        <EnvironmentBadge environment={environment} />
      </Group>
      {/* What the hidden columns say, for a phone. */}
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm" mt={4}>
        <div>
          {t('requested')}: <Moment at={request.requestedAt} />
        </div>
        <div>
          {request.mailedAt ? (
            <>
              {t('asked')}: <Moment at={request.mailedAt} />
            </>
          ) : (
            t('notAsked')
          )}
        </div>
        <div>
          {t('expires')}: <Moment at={request.expiresAt} />
        </div>
      </Text>
    </>
  )
}
