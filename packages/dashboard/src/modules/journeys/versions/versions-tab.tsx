import { Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { STEP_CHANGES } from '@contentflow/core/journeys/changes.ts'
import type { JourneyVersion } from '@contentflow/server/wire.ts'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { useMemberNames } from '../../content/use-member-names.ts'
import { pathOf, type Journey } from '../api.ts'
import { stepTitle } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'
import { useVersionTexts } from '../texts-versions.ts'

/** The versions of the journey: who changed which steps, and when. */
export function VersionsTab({ journey }: { journey: Journey }) {
  const t = useVersionTexts()
  const pages = usePages<JourneyVersion>(`${pathOf(journey.id)}/versions`, 'versions')
  const columns = useColumns()
  return (
    <Listing
      label={t('version')}
      pages={pages}
      columns={columns}
      idOf={({ version }) => String(version)}
      empty={<EmptyState icon={IconHistory} title={t('emptyTitle')} text={t('emptyText')} />}
    />
  )
}

function useColumns(): Column<JourneyVersion>[] {
  const t = useVersionTexts()
  const format = useFormat()
  const nameOf = useMemberNames()
  return [
    {
      id: 'version',
      title: t('version'),
      cell: ({ version, changedBy, changedAt }) => (
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            {t('numbered', { number: format.number(version) })}
          </Text>
          <Text size="xs" c="dimmed">
            <bdi>{nameOf(changedBy)}</bdi> · <Moment at={changedAt} />
          </Text>
        </Stack>
      ),
    },
    { id: 'changes', title: t('changes'), cell: ({ changes }) => <Changes changes={changes} /> },
  ]
}

function Changes({ changes }: Pick<JourneyVersion, 'changes'>) {
  const t = useVersionTexts()
  const journey = useTexts()
  const format = useFormat()
  if (!changes) return <Text size="sm">{t('created')}</Text>
  const { members, steps } = changes
  return (
    <Stack gap={2}>
      {members.length > 0 && <Text size="sm">{t('members', { members: format.list(members.map((name) => journey(name))) })}</Text>}
      {STEP_CHANGES.map((change) => {
        const titles = steps.filter((step) => step.change === change).map((step) => stepTitle(step, journey))
        if (titles.length === 0) return null
        return (
          <Text key={change} size="sm">
            {t(change, { steps: format.list(some(titles, (more) => t('more', { count: more }))) })}
          </Text>
        )
      })}
    </Stack>
  )
}

/** A list names four at most. */
function some(titles: readonly string[], moreWords: (more: number) => string): string[] {
  return titles.length > 4 ? [...titles.slice(0, 4), moreWords(titles.length - 4)] : [...titles]
}
