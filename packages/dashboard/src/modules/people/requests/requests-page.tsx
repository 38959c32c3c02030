import { URGENT_DAYS } from '@contentflow/core/identity/deadlines.ts'
import type { SubjectRequest } from '@contentflow/server/wire.ts'
import { Anchor, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconInbox, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { personPath } from '../../../person-path.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { environmentQuery } from '../../../ui/environment.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlChoice } from '../../../ui/url-state.ts'
import { useTexts } from '../texts.ts'
import { HandleDialog } from './handle-dialog.tsx'
import { RecordDialog } from './record-dialog.tsx'
import { REQUESTS } from './requests.ts'
import { useRequestTexts } from './texts.ts'

const SHOWN = ['waiting', 'all'] as const

/** What people ask for about their data, the nearest last day first (decision 0069). */
export function RequestsPage() {
  const t = useRequestTexts()
  const people = useTexts()
  const { workspace, mayAdmin } = useSession()
  const [shown, setShown] = useUrlChoice('show', SHOWN, 'waiting')
  const pages = usePages<SubjectRequest>(REQUESTS, 'requests', shown === 'waiting' ? { state: shown } : {})
  const [isRecording, setRecording] = useState(false)
  const [handled, setHandled] = useState<SubjectRequest>()
  const columns = useColumns(mayAdmin ? setHandled : undefined)
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      path={[{ label: people('title'), to: `/w/${workspace.id}/people` }]}
      actions={
        mayAdmin && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setRecording(true)}>
            {t('record')}
          </Button>
        )
      }
    >
      <Stack>
        <Stack gap={4}>
          <Group>
            <SegmentedControl
              aria-label={t('status')}
              data={SHOWN.map((value) => ({ value, label: t(`show_${value}`) }))}
              value={shown}
              onChange={setShown}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {t('notAdvice')} {!mayAdmin && t('onlyAdmins')}
          </Text>
        </Stack>
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ id }) => id}
          empty={<EmptyState icon={IconInbox} title={t('emptyTitle')} text={t('emptyText')} />}
        />
      </Stack>
      {isRecording && <RecordDialog onClose={() => setRecording(false)} />}
      {handled && <HandleDialog request={handled} onClose={() => setHandled(undefined)} />}
    </Page>
  )
}

function useColumns(onHandle: ((request: SubjectRequest) => void) | undefined): Column<SubjectRequest>[] {
  const t = useRequestTexts()
  const format = useFormat()
  return [
    {
      id: 'kind',
      title: t('kind'),
      cell: (request) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {t(`kind_${request.kind}`)}
          </Text>
          <Person of={request} />
        </Stack>
      ),
    },
    {
      id: 'due',
      title: t('due'),
      cell: (request) => (
        <Group gap="xs">
          <Text size="sm">{format.calendarDate(request.extendedTo ?? request.dueOn)}</Text>
          <DaysLeft of={request} />
        </Group>
      ),
    },
    { id: 'state', title: t('status'), cell: ({ state }) => t(`state_${state}`) },
    { id: 'source', title: t('source'), isExtra: true, cell: ({ source }) => t(`source_${source}`) },
    { id: 'law', title: t('law'), isExtra: true, cell: ({ law }) => t(`law_${law}`) },
    { id: 'received', title: t('received'), isExtra: true, cell: ({ receivedOn }) => format.calendarDate(receivedOn) },
    ...(onHandle
      ? [
          {
            id: 'handle',
            title: <span className="cf-visually-hidden">{t('handle')}</span>,
            align: 'end' as const,
            cell: (request: SubjectRequest) => (
              <Button size="xs" variant="default" onClick={() => onHandle(request)}>
                {t('handle')}
              </Button>
            ),
          },
        ]
      : []),
  ]
}

function Person({ of: { userId, environment, erasureId, state } }: { of: SubjectRequest }) {
  const t = useRequestTexts()
  const { workspace } = useSession()
  if (userId === null)
    return (
      <Text size="xs" c="dimmed">
        {t(erasureId !== null && state !== 'refused' ? 'erased' : 'nobody')}
      </Text>
    )
  return (
    <Anchor
      component={Link}
      to={`/w/${workspace.id}${personPath({ userId })}${environmentQuery(environment)}`}
      size="xs"
      style={{ overflowWrap: 'anywhere' }}
    >
      <bdi>{userId}</bdi>
    </Anchor>
  )
}

/** Red from five days on; the words say it too. */
function DaysLeft({ of: { daysLeft } }: { of: SubjectRequest }) {
  const t = useRequestTexts()
  const format = useFormat()
  if (daysLeft === null) return null
  const count = Math.abs(daysLeft)
  const name = daysLeft < 0 ? ('late' as const) : ('days' as const)
  return (
    <Badge color={daysLeft <= URGENT_DAYS ? 'red' : 'gray'} variant="light" tt="none" radius="sm">
      {daysLeft === 0 ? t('today') : t(name, { count, formatted: format.number(count) })}
    </Badge>
  )
}
