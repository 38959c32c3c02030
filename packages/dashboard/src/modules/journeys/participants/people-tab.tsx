import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconUserPlus, IconUsers } from '@tabler/icons-react'
import { RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { listSteps } from '@contentflow/core/journeys/journey.ts'
import type { JourneyRun } from '@contentflow/server/wire.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { pathOf, type Journey } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { stepTitle } from '../steps/step-words.ts'
import { useParticipantTexts } from '../texts-participants.ts'
import { AddPeople } from './add-people.tsx'
import { RUN_COLORS, useRunWords } from './run-words.ts'
import { personPath } from '../../../person-path.ts'

/** The people who are or were in the journey, and where they are. */
export function PeopleTab({ journey }: { journey: Journey }) {
  const t = useParticipantTexts()
  const { mayEdit } = useSession()
  const [status, setStatus] = useState('')
  const [isAdding, setAdding] = useState(false)
  const pages = usePages<JourneyRun>(`${pathOf(journey.id)}/runs`, 'runs', { status })
  const columns = useColumns(journey)
  return (
    <Stack>
      <Group justify="space-between">
        <FilterSelect
          label={t('state')}
          placeholder={t('anyState')}
          data={RUN_STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
          value={status}
          onChange={setStatus}
          width={180}
        />
        {mayEdit && (
          <Group gap="sm">
            {journey.status !== 'active' && (
              <Text size="sm" c="dimmed">
                {t('addOnlyLive')}
              </Text>
            )}
            <Button
              variant="default"
              leftSection={<IconUserPlus size={16} aria-hidden />}
              disabled={journey.status !== 'active'}
              onClick={() => setAdding(true)}
            >
              {t('add')}
            </Button>
          </Group>
        )}
      </Group>
      <Listing
        label={t('person')}
        pages={pages}
        columns={columns}
        idOf={({ userId, deviceId }) => userId ?? deviceId ?? ''}
        empty={<EmptyState icon={IconUsers} title={t('emptyTitle')} text={t('emptyText')} />}
        isFiltered={status !== ''}
        onClearFilters={() => setStatus('')}
      />
      <AddPeople journey={journey} isOpen={isAdding} onClose={() => setAdding(false)} />
    </Stack>
  )
}

function useColumns({ steps, status }: Journey): Column<JourneyRun>[] {
  const t = useParticipantTexts()
  const { workspace } = useSession()
  const { wording } = useEditor()
  const words = useRunWords()
  const known = new Map(listSteps(steps).map((step) => [step.id, step]))
  return [
    {
      id: 'person',
      title: t('person'),
      cell: ({ userId, deviceId }) => (
        <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId, deviceId })}`} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{userId ?? t('anonymous')}</bdi>
        </Anchor>
      ),
    },
    {
      id: 'where',
      title: t('where'),
      cell: (run) => {
        const step = run.step === null ? undefined : known.get(run.step)
        return (
          <Stack gap={2} align="flex-start">
            <Badge color={RUN_COLORS[run.status]} variant="light" tt="none" radius="sm">
              {t(`status_${run.status}`)}
            </Badge>
            <Text size="xs">
              {step && `${stepTitle(step, wording.t)} · `}
              {words(run, status)}
            </Text>
          </Stack>
        )
      },
    },
    { id: 'entered', title: t('entered'), isExtra: true, cell: ({ enteredAt }) => <Moment at={enteredAt} /> },
  ]
}
