import { Anchor, Badge, Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconArchive, IconMail, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { MAILS, mailPath, type ListedMail, type MailKind } from '../api.ts'
import { useTexts } from '../texts.ts'
import { NewMail } from './new-mail.tsx'

const KINDS = ['template', 'part'] as const satisfies MailKind[]

/** What the workspace keeps to begin mails with. */
export function MailsPage() {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const [kind, setKind] = useUrlState('kind')
  const [category, setCategory] = useUrlState('category')
  const [state, setState] = useUrlState('state')
  const [making, setMaking] = useState<MailKind>()
  const isArchive = state === 'archived'
  const pages = usePages<ListedMail>(MAILS, 'mails', { kind, category, state })
  const columns = useColumns()
  const categories = [...new Set([category, ...pages.items.map((mail) => mail.category ?? '')])].filter((each) => each !== '')
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      actions={
        mayEdit && (
          <>
            <Button variant="default" onClick={() => setMaking('part')}>
              {t('newPart')}
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking('template')}>
              {t('newTemplate')}
            </Button>
          </>
        )
      }
    >
      <Stack>
        <Group gap="xs">
          <FilterSelect
            label={t('kind')}
            placeholder={t('anyKind')}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
            value={kind}
            onChange={setKind}
            width={180}
          />
          <FilterSelect
            label={t('category')}
            placeholder={t('anyCategory')}
            data={categories.map((value) => ({ value, label: value }))}
            value={category}
            onChange={setCategory}
            width={200}
          />
          <SegmentedControl
            aria-label={t('archived')}
            size="xs"
            value={isArchive ? 'archived' : 'active'}
            onChange={(next) => setState(next === 'archived' ? next : '')}
            data={[
              { value: 'active', label: t('active') },
              { value: 'archived', label: t('archived') },
            ]}
          />
        </Group>
        <Listing
          label={t('title')}
          pages={pages}
          columns={columns}
          idOf={({ id }) => id}
          pathOf={({ id }) => mailPath(workspace.id, id)}
          empty={
            isArchive ? (
              <EmptyState icon={IconArchive} title={t('emptyArchive')} text={t('emptyArchiveText')} />
            ) : (
              <EmptyState icon={IconMail} title={t('emptyTitle')} text={t(mayEdit ? 'emptyText' : 'emptyRead')}>
                {mayEdit && <Button onClick={() => setMaking('template')}>{t('beginTemplate')}</Button>}
              </EmptyState>
            )
          }
          isFiltered={kind !== '' || category !== ''}
          onClearFilters={() => {
            setKind('')
            setCategory('')
          }}
        />
      </Stack>
      {making && <NewMail kind={making} onClose={() => setMaking(undefined)} />}
    </Page>
  )
}

function useColumns(): Column<ListedMail>[] {
  const t = useTexts()
  const format = useFormat()
  return [
    {
      id: 'name',
      title: t('name'),
      cell: ({ id, name }) => (
        <Anchor component={Link} to={id} fw={600} style={{ overflowWrap: 'anywhere' }} dir="auto" className="cf-foreign">
          {name}
        </Anchor>
      ),
    },
    {
      id: 'kind',
      title: t('kind'),
      cell: ({ kind }) => (
        <Badge variant="light" color={kind === 'part' ? 'violet' : 'teal'}>
          {t(`kind_${kind}`)}
        </Badge>
      ),
    },
    { id: 'category', title: t('category'), isExtra: true, cell: ({ category }) => <bdi>{category}</bdi> },
    {
      id: 'languages',
      title: t('languages'),
      isExtra: true,
      cell: ({ locales }) => locales.map((code) => format.language(code)).join(' · '),
    },
    { id: 'updated', title: t('updated'), isExtra: true, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ]
}
