import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconLayoutGrid } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { INSTANCE_STATES } from '@contentflow/core/blocks/instance-state.ts'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useRead } from '../../data.ts'
import { useCalendar } from '../../calendar.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterSelect } from '../../ui/fields/filter-select.tsx'
import { Listing, type Column } from '../../ui/listing.tsx'
import { Moment } from '../../ui/moments/moment.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useTexts as useUiTexts } from '../../ui/texts.ts'
import { instancePath, NEW_TYPE, typePath, type BlockType, type Locale, type Summary } from './api.ts'
import { InstanceState, Languages, When, Who } from './instance-words.tsx'
import { useTexts } from './texts.ts'
import { useInstanceName } from './use-instance-name.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

const FILTERS = ['search', 'type', 'state', 'segment', 'locale', 'missing'] as const
type Filters = Partial<Record<(typeof FILTERS)[number], string>>

/** All instances, with filters that are in the address. `ofType` hides the filter by type, which is fixed. */
export function InstanceTable({ ofType }: { ofType?: string }) {
  const t = useTexts()
  const ui = useUiTexts()
  const { workspace, mayEdit } = useSession()
  const { timeZone } = useCalendar()
  const [filters, change] = useFilters()
  const { search, type, state, segment, locale, missing } = filters
  const locales = useRead<{ locales: Locale[] }>('/locales').data?.locales ?? []
  const instances = usePages<Summary>(
    '/instances',
    'instances',
    { blockKey: ofType ?? type, state, segment, locale, missingLocale: missing, search, labelLocale: useLanguage() },
    { every: 30_000 },
  )
  const columns = useColumns(locales).filter(({ id }) => ofType === undefined || id !== 'type')
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <SearchField value={search ?? ''} onChange={(text) => change({ search: text })} label={t('searchInstances')} />
        {ofType === undefined && <TypeFilter value={type} onChange={(value) => change({ type: value })} />}
        <FilterSelect
          label={t('filterState')}
          data={[...INSTANCE_STATES.map((value) => ({ value, label: ui(value) })), { value: 'changed', label: t('stateChanged') }]}
          value={state ?? ''}
          onChange={(value) => change({ state: value })}
          width={150}
        />
        <SegmentFilter value={segment} onChange={(value) => change({ segment: value })} />
        <LocaleFilter locales={locales} complete={locale} missing={missing} onChange={change} />
      </Group>
      <Listing
        label={t('title')}
        pages={instances}
        columns={columns}
        idOf={({ id }) => id}
        search={search}
        isFiltered={FILTERS.some((name) => name !== 'search' && filters[name] !== undefined)}
        pathOf={({ id, blockKey }) => instancePath(workspace.id, blockKey, id)}
        onClearFilters={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}
        empty={
          ofType === undefined ? (
            <EmptyState icon={IconLayoutGrid} title={t('emptyTitle')} text={t('emptyText')}>
              {mayEdit && (
                <Button component={Link} to={typePath(workspace.id, NEW_TYPE)}>
                  {t('newType')}
                </Button>
              )}
            </EmptyState>
          ) : (
            <Text c="dimmed">{t('noInstances')}</Text>
          )
        }
      />
      <Text size="sm" c="dimmed">
        {t('zone', { zone: timeZone })}
      </Text>
    </Stack>
  )
}

/** Several at once, because one choice may set one filter and clear another. */
function useFilters(): [Filters, (change: { [name in keyof Filters]?: string | null }) => void] {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []))) as Filters
  const change = (changes: { [name in keyof Filters]?: string | null }) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  return [filters, change]
}

type FilterProps = { value: string | undefined; onChange: (value: string) => void }

function TypeFilter({ value, onChange }: FilterProps) {
  const t = useTexts()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  return (
    <FilterSelect
      label={t('filterType')}
      data={types.items.map(({ key, name }) => ({ value: key, label: name }))}
      value={value ?? ''}
      onChange={onChange}
      nothingFound={t('noTypeFound')}
      width={190}
    />
  )
}

function SegmentFilter({ value, onChange }: FilterProps) {
  const t = useTexts()
  const segments = usePages<{ name: string }>('/segments', 'segments', { limit: 200 })
  const names = new Set(segments.items.map(({ name }) => name).filter((name) => name !== EVERYONE))
  // Content may be aimed at a name that no segment has.
  if (value && value !== EVERYONE) names.add(value)
  return (
    <FilterSelect
      label={t('filterSegment')}
      data={[{ value: EVERYONE, label: t('everyone') }, ...[...names].map((name) => ({ value: name, label: name }))]}
      value={value ?? ''}
      onChange={onChange}
      nothingFound={t('noSegmentFound')}
      width={170}
    />
  )
}

type LocaleFilterProps = {
  locales: Locale[]
  complete: string | undefined
  missing: string | undefined
  onChange: (change: { locale: string | null; missing: string | null }) => void
}

function LocaleFilter({ locales, complete, missing, onChange }: LocaleFilterProps) {
  const t = useTexts()
  const format = useFormat()
  const others = locales.filter(({ source }) => !source)
  if (others.length === 0) return null
  return (
    <FilterSelect
      label={t('filterLocale')}
      data={others.flatMap(({ code }) => [
        { value: `missing:${code}`, label: t('localeMissing', { language: format.language(code) }) },
        { value: `complete:${code}`, label: t('localeComplete', { language: format.language(code) }) },
      ])}
      value={missing ? `missing:${missing}` : complete ? `complete:${complete}` : ''}
      onChange={(value) => {
        const [kind, code] = value.split(':')
        onChange({ missing: kind === 'missing' ? (code ?? null) : null, locale: kind === 'complete' ? (code ?? null) : null })
      }}
      width={210}
    />
  )
}

function useColumns(locales: readonly Locale[]): Column<Summary>[] {
  const t = useTexts()
  const { workspace } = useSession()
  return [
    { id: 'instance', title: t('colInstance'), cell: (instance) => <InstanceCell instance={instance} workspaceId={workspace.id} /> },
    {
      id: 'type',
      title: t('colType'),
      isExtra: true,
      cell: ({ blockKey, blockName }) => (
        <Anchor component={Link} to={typePath(workspace.id, blockKey)} size="sm" c="inherit">
          {blockName}
        </Anchor>
      ),
    },
    { id: 'state', title: t('colState'), cell: (instance) => <InstanceState instance={instance} /> },
    { id: 'who', title: t('colWho'), isExtra: true, cell: ({ seg }) => <Who seg={seg} /> },
    {
      id: 'when',
      title: t('colWhen'),
      isExtra: true,
      cell: ({ schedule }) => (
        <Text size="sm" miw={schedule ? 190 : undefined}>
          <When schedule={schedule} />
        </Text>
      ),
    },
    {
      id: 'languages',
      title: t('colLanguages'),
      isExtra: true,
      cell: (instance) => <Languages fills={instance.locales} locales={locales} />,
    },
    {
      id: 'changed',
      title: t('colChanged'),
      isExtra: true,
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
  ]
}

function InstanceCell({ instance, workspaceId }: { instance: Summary; workspaceId: string }) {
  const name = useInstanceName()(instance)
  const other = [instance.label, instance.title].find((text) => text && text !== name)
  return (
    <Group gap="sm" wrap="nowrap" miw={{ base: 0, sm: 200 }} maw={360}>
      <Thumbnail image={instance.image} design={instance.designType} />
      <div style={{ minWidth: 0 }}>
        <Anchor
          component={Link}
          to={instancePath(workspaceId, instance.blockKey, instance.id)}
          className={`${classes.name} cf-foreign`}
          dir="auto"
          size="sm"
          lineClamp={2}
        >
          {name}
        </Anchor>
        {other && (
          <Text size="sm" c="dimmed" lineClamp={1} dir="auto" className="cf-foreign">
            {other}
          </Text>
        )}
      </div>
    </Group>
  )
}
