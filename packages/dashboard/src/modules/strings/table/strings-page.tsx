import { ActionIcon, Button, Menu, Paper, Skeleton, Stack, Text, Group, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconDownload, IconKeyboard, IconLanguage, IconPlus, IconUpload, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { usePages, type Pages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { NothingFound } from '../../../ui/nothing-found.tsx'
import { Page } from '../../../ui/page.tsx'
import type { Kept } from '../../../kept-work.ts'
import { FoundWork, useFoundWork, useKeepWork } from '../../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { useLanguages, type Languages, type StringItem } from '../api.ts'
import { useApproval } from '../approval.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Coverage } from '../languages/coverage.tsx'
import { useEdits, useUnsavedEdits, type Edit, type Edits } from '../edits.ts'
import { ExportDialog } from '../files/export-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { chooseColumns, isFiltered, listQuery, readFilters, writeFilters, type Filters } from './filters.ts'
import { KeyHelp } from './key-help.tsx'
import { NewStringDialog } from './new-string-dialog.tsx'
import { RunBar } from '../run-bar.tsx'
import { useSelection } from './selection.ts'
import { SensorRequests, useSensorRequests } from '../details/sensor-requests.tsx'
import { StringPanel } from '../details/string-panel.tsx'
import { StringsTable } from './strings-table.tsx'
import { useTexts } from '../texts.ts'

/** Every text of the applications beside its translations. */
export function StringsPage() {
  const t = useTexts()
  const { languages, error, retry } = useLanguages()
  const requests = useSensorRequests()
  const [isMaking, making] = useDisclosure()
  const [isExporting, exporting] = useDisclosure()
  const { setKey } = useAddress()
  return (
    <Page title={t('title')} subtitle={t('lead')} actions={<Actions onNew={making.open} onExport={exporting.open} />}>
      <RunBar />
      {error && !languages && <Failure error={error} onRetry={retry} />}
      {languages && !requests.isLoading ? (
        <>
          <SensorRequests requests={requests} onOpen={setKey} />
          <Catalog languages={languages} onNew={making.open} />
        </>
      ) : (
        // Both at once, so that nothing moves when the other comes.
        !error && <Skeleton h={640} />
      )}
      <NewStringDialog
        isOpen={isMaking}
        onClose={making.close}
        source={languages?.source}
        onMade={(key) => {
          making.close()
          setKey(key)
        }}
      />
      {languages && <ExportDialog isOpen={isExporting} onClose={exporting.close} translated={languages.translated} />}
    </Page>
  )
}

function Actions({ onNew, onExport }: { onNew: () => void; onExport: () => void }) {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const root = `/w/${workspace.id}/strings`
  return (
    <>
      <Button component={Link} to={`${root}/languages`} variant="default" leftSection={<IconWorld size={16} aria-hidden />}>
        {t('languages')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            {t('file')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`${root}/import`} leftSection={<IconUpload size={16} aria-hidden />}>
            {t(mayEdit ? 'import' : 'imports')}
          </Menu.Item>
          <Menu.Item onClick={onExport} leftSection={<IconDownload size={16} aria-hidden />}>
            {t('export')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mayEdit && (
        <Button onClick={onNew} leftSection={<IconPlus size={16} aria-hidden />}>
          {t('newString')}
        </Button>
      )}
    </>
  )
}

/** Filters and the opened string, as the address has them. */
function useAddress() {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  return {
    filters,
    setFilters: (change: Partial<Filters>) => setParams((before) => writeFilters(before, change), { replace: true }),
    openKey: params.get('key') ?? '',
    // An opened string is a step that the back button takes back.
    setKey: (key: string) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        if (key) next.set('key', key)
        else next.delete('key')
        return next
      }),
  }
}

/** Under which this browser keeps what is being typed. */
const THING = 'strings'

function Catalog({ languages, onNew }: { languages: Languages; onNew: () => void }) {
  const { workspace, mayEdit } = useSession()
  const { filters, setFilters, openKey, setKey } = useAddress()
  const [isHelpOpen, help] = useDisclosure()
  const found = useFoundWork<[string, Edit][]>(THING)
  const edits = useEdits(found?.value)
  const approval = useApproval()
  const columns = chooseColumns(languages.translated, filters.locales)
  const query = listQuery(filters, columns)
  const strings = usePages<StringItem>('/strings', 'strings', query)
  const selection = useSelection(JSON.stringify(query))
  const root = `/w/${workspace.id}/strings`
  const isEmpty = !strings.isLoading && !strings.error && strings.items.length === 0 && !isFiltered(filters)

  return (
    <Stack gap="md">
      <EditsGuard edits={edits} found={found} />
      <Coverage
        translated={languages.translated}
        moreAt={`${root}/languages`}
        linkTo={({ code }, status) =>
          `${root}?${writeFilters(new URLSearchParams(), { locales: [code], hidden: 'false', status: status === 'review' ? 'review' : 'missing' })}`
        }
      />
      {languages.translated.length === 0 && !isEmpty && <NoLanguages to={`${root}/languages`} />}
      {!isEmpty && (
        <Group gap="xs">
          <FilterBar filters={filters} columns={columns} translated={languages.translated} onChange={setFilters} />
          <KeysButton onClick={help.open} />
        </Group>
      )}
      {selection.keys.size > 0 && (
        <BulkBar
          selected={selection.keys}
          shown={strings.items.length}
          total={strings.total}
          query={query}
          locales={columns}
          onSelect={selection.replace}
          onClear={() => selection.replace([])}
        />
      )}
      <CatalogBody
        strings={strings}
        filters={filters}
        onClearFilters={() => setFilters({ q: '', namespace: '', status: '', sensor: '', hidden: '' })}
        onNew={onNew}
        importAt={`${root}/import`}
      >
        <StringsTable
          items={strings.items}
          columns={columns}
          source={languages.source}
          edits={edits}
          approval={approval}
          mayEdit={mayEdit}
          selected={selection.keys}
          onSelect={selection.set}
          onOpen={setKey}
          onHelp={help.open}
          isCovered={openKey !== ''}
        />
      </CatalogBody>
      <StringPanel
        openKey={openKey}
        keys={strings.items.map(({ key }) => key)}
        languages={languages}
        preferred={columns[0]?.code}
        edits={edits}
        approval={approval}
        onOpen={setKey}
        onClose={() => setKey('')}
      />
      <KeyHelp isOpen={isHelpOpen} onClose={help.close} />
      {approval.dialog}
    </Stack>
  )
}

function EditsGuard({ edits, found }: { edits: Edits; found: Kept<unknown> | undefined }) {
  const unsaved = useUnsavedEdits(edits)
  const isDirty = unsaved.length > 0
  const { forget } = useKeepWork(THING, isDirty ? unsaved : undefined)
  return (
    <>
      <FoundWork found={found} isDirty={isDirty} onDiscard={edits.discard} />
      <UnsavedGuard isDirty={isDirty} onLeave={forget} />
    </>
  )
}

function KeysButton({ onClick }: { onClick: () => void }) {
  const t = useTexts()
  return (
    <Tooltip label={t('helpTitle')}>
      <ActionIcon variant="default" size={36} aria-label={t('helpTitle')} onClick={onClick} visibleFrom="md">
        <IconKeyboard size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function NoLanguages({ to }: { to: string }) {
  const t = useTexts()
  const { mayEdit } = useSession()
  return (
    <Paper withBorder p="md">
      <EmptyState icon={IconWorld} title={t('noLanguages')} text={t('noLanguagesText')}>
        {mayEdit && (
          <Button component={Link} to={to}>
            {t('addLanguage')}
          </Button>
        )}
      </EmptyState>
    </Paper>
  )
}

type CatalogBodyProps = {
  strings: Pages<StringItem>
  filters: Filters
  onClearFilters: () => void
  onNew: () => void
  importAt: string
  children: React.ReactNode
}

/** The table once there is something to show, and what to do when there is not. */
function CatalogBody({ strings, filters, onClearFilters, onNew, importAt, children }: CatalogBodyProps) {
  const t = useTexts()
  const format = useFormat()
  const { mayEdit } = useSession()
  if (strings.error && strings.items.length === 0) return <Failure error={strings.error} onRetry={strings.retry} />
  if (strings.isLoading) return <Skeleton h={480} />
  if (strings.items.length === 0)
    return (
      <Paper withBorder p="md">
        {isFiltered(filters) ? (
          <NothingFound search={filters.q} isFiltered={isFiltered({ ...filters, q: '' })} onClear={onClearFilters} />
        ) : (
          <EmptyState icon={IconLanguage} title={t('noStrings')} text={t('noStringsText')}>
            {mayEdit && (
              <Group gap="xs">
                <Button onClick={onNew}>{t('newString')}</Button>
                <Button component={Link} to={importAt} variant="default">
                  {t('import')}
                </Button>
              </Group>
            )}
          </EmptyState>
        )}
      </Paper>
    )
  return (
    <Stack gap="sm">
      {children}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {strings.total !== undefined && t('shown', { shown: format.number(strings.items.length), total: format.number(strings.total) })}
        </Text>
        {strings.hasMore && (
          <Button variant="default" onClick={strings.loadMore} loading={strings.isMoreLoading}>
            {t('showMore')}
          </Button>
        )}
      </Group>
      {strings.error && <Failure error={strings.error} onRetry={strings.retry} />}
    </Stack>
  )
}
