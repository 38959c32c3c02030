import { Anchor, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconLayoutGrid, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { SearchField } from '../../../ui/fields/search-field.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { ARCHIVED, NEW_TYPE, typePath, type BlockType } from '../api.ts'
import { DesignPicture } from '../design-picture.tsx'
import { matchesType } from '../new-instance.tsx'
import { useTypeTexts } from './type-texts.ts'
import { useAll } from '../use-all.ts'

/** Every block type: those in use, and the archived ones, which can be brought back. */
export function BlockTypesPage() {
  const t = useTypeTexts()
  const { workspace, mayEdit } = useSession()
  const [show, setShow] = useUrlState('show')
  const [search, setSearch] = useUrlState('search')
  const isArchived = show === ARCHIVED
  const types = useAll(
    usePages<BlockType>('/blocks', 'blocks', { limit: 200, archived: isArchived || undefined }),
    LIMITS.definitionsPerManifest,
  )
  const [wanted, setWanted] = useState<BlockType>()
  const found = types.items.filter((type) => type.isArchived === isArchived && matchesType(type, search.trim().toLowerCase()))
  const columns = useColumns(isArchived, mayEdit ? setWanted : undefined)
  return (
    <Page
      title={t('types')}
      path={[{ label: t('content'), to: `/w/${workspace.id}/content` }]}
      subtitle={t('typesText')}
      actions={
        mayEdit && (
          <Button component={Link} to={typePath(workspace.id, NEW_TYPE)} leftSection={<IconPlus size={18} aria-hidden />}>
            {t('newTitle')}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Group gap="xs">
          <SegmentedControl
            aria-label={t('typesShown')}
            value={isArchived ? ARCHIVED : ''}
            onChange={setShow}
            data={[
              { value: '', label: t('inUse') },
              { value: ARCHIVED, label: t('archivedTypes') },
            ]}
          />
          <SearchField value={search} onChange={setSearch} label={t('searchTypes')} />
        </Group>
        <Listing
          label={t(isArchived ? 'archivedTypes' : 'types')}
          pages={{ ...types, items: found, total: search ? found.length : types.total, isLoading: types.isLoading || types.isPrevious }}
          columns={columns}
          idOf={({ key }) => key}
          search={search}
          {...(!isArchived && { pathOf: ({ key }: BlockType) => typePath(workspace.id, key) })}
          onClearFilters={() => setSearch('')}
          empty={
            isArchived ? (
              <EmptyState icon={IconArchive} title={t('noArchived')} text={t('noArchivedText')} />
            ) : (
              <EmptyState icon={IconLayoutGrid} title={t('noTypes')} text={t('noTypesText')} />
            )
          }
        />
      </Stack>
      {wanted && <Restore type={wanted} onClose={() => setWanted(undefined)} />}
    </Page>
  )
}

function useColumns(isArchived: boolean, onRestore: ((type: BlockType) => void) | undefined): Column<BlockType>[] {
  const t = useTypeTexts()
  const format = useFormat()
  const { workspace } = useSession()
  return [
    {
      id: 'name',
      title: t('name'),
      cell: (type) => (
        <Group gap="sm" wrap="nowrap" miw={0}>
          <DesignPicture design={type.designType} />
          <div style={{ minWidth: 0 }}>
            {isArchived ? (
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {type.name}
              </Text>
            ) : (
              <Anchor component={Link} to={typePath(workspace.id, type.key)} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {type.name}
              </Anchor>
            )}
            <Text size="xs" c="dimmed" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
              {type.key}
            </Text>
          </div>
        </Group>
      ),
    },
    {
      id: 'screen',
      title: t('screen'),
      isExtra: true,
      cell: ({ screen }) =>
        screen || (
          <Text c="dimmed" size="sm">
            {t('noScreen')}
          </Text>
        ),
    },
    { id: 'fields', title: t('fields'), isExtra: true, cell: ({ fields }) => format.number(fields.length) },
    {
      id: 'changed',
      title: t(isArchived ? 'archivedAt' : 'changed'),
      isExtra: true,
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
    ...(isArchived && onRestore
      ? [
          {
            id: 'restore',
            title: <span className="cf-visually-hidden">{t('restore')}</span>,
            align: 'end' as const,
            cell: (type: BlockType) => (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconArrowBackUp size={16} aria-hidden className="cf-mirrored" />}
                aria-label={t('restoreNamed', { name: type.name })}
                onClick={() => onRestore(type)}
              >
                {t('restore')}
              </Button>
            ),
          },
        ]
      : []),
  ]
}

/** Asks first: what was live in the type is live again at once. */
function Restore({ type: { key, name }, onClose }: { type: BlockType; onClose: () => void }) {
  const t = useTypeTexts()
  const restore = useWrite<void>(() => ({ path: `/blocks/${key}/restore`, method: 'POST' }), {
    stale: ['/blocks', '/instances', '/content'],
    done: t('restored', { name }),
    showsError: true,
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('restoreTitle', { name })}
      action={t('restore')}
      isBusy={restore.isPending}
      onConfirm={() => restore.mutate(undefined, { onSuccess: onClose })}
    >
      <Stack gap="sm">
        {t('restoreText')}
        {restore.error && <Failure error={restore.error} />}
      </Stack>
    </Confirm>
  )
}
