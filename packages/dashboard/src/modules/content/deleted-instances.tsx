import { Button, Stack, Text } from '@mantine/core'
import { IconTrashOff } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { type Summary } from './api.ts'
import { useTexts } from './texts.ts'
import { useInstanceName } from './use-instance-name.ts'
import { useMemberNames } from './use-member-names.ts'

const DAY = 86_400_000

/** Recently deleted instances, with who deleted them, and a button to bring them back. */
export function DeletedInstances() {
  const t = useTexts()
  const [search, setSearch] = useUrlState('search')
  const pages = usePages<Summary>('/instances', 'instances', { state: 'deleted', search, labelLocale: useLanguage() }, { every: 30_000 })
  return (
    <Stack gap="sm">
      <SearchField value={search} onChange={setSearch} label={t('searchInstances')} />
      <Listing
        label={t('deleted')}
        pages={pages}
        columns={useColumns()}
        idOf={({ id }) => id}
        search={search}
        onClearFilters={() => setSearch('')}
        empty={<EmptyState icon={IconTrashOff} title={t('deletedEmpty')} text={t('deletedText', { days: LIMITS.deletedInstanceDays })} />}
      />
    </Stack>
  )
}

function useColumns(): Column<Summary>[] {
  const t = useTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  const nameOfMember = useMemberNames()
  const nameOf = useInstanceName()
  const restore = useWrite<Summary>(({ blockKey, id }) => ({ method: 'POST', path: `/blocks/${blockKey}/instances/${id}/restore` }), {
    stale: ['/instances', '/content', '/blocks'],
    done: (_, instance) => t('restored', { name: nameOf(instance) }),
  })
  return [
    {
      id: 'instance',
      title: t('colInstance'),
      cell: (instance) => (
        <Text size="sm" fw={600} dir="auto" className="cf-foreign" lineClamp={2}>
          {nameOf(instance)}
        </Text>
      ),
    },
    { id: 'type', title: t('colType'), isExtra: true, cell: ({ blockName }) => <Text size="sm">{blockName}</Text> },
    {
      id: 'deleted',
      title: t('colDeleted'),
      cell: ({ deletedAt, deletedBy }) => (
        <Text size="sm">
          <bdi>{nameOfMember(deletedBy ?? '')}</bdi> · <Moment at={deletedAt} />
        </Text>
      ),
    },
    {
      id: 'until',
      title: t('colKeptUntil'),
      isExtra: true,
      cell: ({ deletedAt }) => <Text size="sm">{deletedAt && format.date(Date.parse(deletedAt) + LIMITS.deletedInstanceDays * DAY)}</Text>,
    },
    ...(mayEdit
      ? [
          {
            id: 'restore',
            title: <span className="cf-visually-hidden">{t('restore')}</span>,
            align: 'end' as const,
            cell: (instance: Summary) => (
              <Button
                size="xs"
                variant="default"
                onClick={() => restore.mutate(instance)}
                loading={restore.isPending && restore.variables.id === instance.id}
                aria-label={t('restoreOf', { name: nameOf(instance) })}
              >
                {t('restore')}
              </Button>
            ),
          },
        ]
      : []),
  ]
}
