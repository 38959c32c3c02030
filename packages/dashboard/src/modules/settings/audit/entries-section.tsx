import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import type { AuditEntry } from '@contentflow/server/wire.ts'
import { usePages, useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { SearchField } from '../../../ui/fields/search-field.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Section } from '../../../ui/section.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import type { Member } from '../api.ts'
import { KINDS } from './action-words.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { useAuditTexts } from './texts.ts'
import { useSentence } from './use-sentence.ts'

const OUTCOMES = ['done', 'refused', 'failed', 'read'] as const

/** The entries, newest first; `?entry=` opens one. */
export function EntriesSection() {
  const t = useAuditTexts()
  const [kind, setKind] = useUrlState('kind')
  const [who, setWho] = useUrlState('who')
  const [outcome, setOutcome] = useUrlState('outcome')
  const [text, setText] = useUrlState('q')
  const [open, setOpen] = useUrlState('entry')
  const entries = usePages<AuditEntry>('/audit', 'entries', { limit: 25, actor: who, object: kind, outcome, text })
  const members = useRead<{ members: Member[] }>('/members')
  const columns = useColumns()
  const clear = () => {
    setWho('')
    setKind('')
    setOutcome('')
  }
  return (
    <Section title={t('title')} text={t('text')}>
      <Group gap="xs">
        <SearchField label={t('searchText')} value={text} onChange={setText} />
        <FilterSelect
          label={t('who')}
          data={(members.data?.members ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
          value={who}
          onChange={setWho}
          width={180}
        />
        <FilterSelect
          label={t('kind')}
          data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          value={kind}
          onChange={setKind}
          width={180}
        />
        <FilterSelect
          label={t('outcome')}
          data={OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) }))}
          value={outcome}
          onChange={setOutcome}
          width={160}
        />
      </Group>
      <Listing
        label={t('label')}
        pages={entries}
        idOf={({ seq }) => String(seq)}
        columns={columns}
        search={text}
        isFiltered={who !== '' || kind !== '' || outcome !== ''}
        onClearFilters={clear}
        empty={<EmptyState icon={IconListDetails} title={t('emptyTitle')} text={t('emptyText')} />}
      />
      {open !== '' && <EntryDialog key={open} seq={open} onClose={() => setOpen('')} />}
    </Section>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const t = useAuditTexts()
  const format = useFormat()
  const sentence = useSentence()
  const [params] = useSearchParams()
  const toOpen = (seq: number) => {
    const next = new URLSearchParams(params)
    next.set('entry', String(seq))
    return `?${next}`
  }
  return [
    {
      id: 'what',
      title: t('what'),
      cell: (entry) => (
        <Stack gap={2} align="start">
          <Anchor component={Link} to={toOpen(entry.seq)} size="sm" fw={600}>
            {sentence(entry)}
          </Anchor>
          {entry.more !== undefined && (
            <Text size="sm" c="dimmed">
              {t('more', { count: entry.more })}
            </Text>
          )}
          <Text size="sm" c="dimmed" hiddenFrom="sm" component="div">
            <Moment at={entry.at} />
          </Text>
        </Stack>
      ),
    },
    { id: 'result', title: t('result'), cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
    { id: 'when', title: t('when'), isExtra: true, cell: ({ at }) => <Moment at={at} /> },
    { id: 'seq', title: '#', align: 'end', isExtra: true, cell: ({ seq }) => format.number(seq) },
  ]
}
