import { Alert, Badge, Button, Group, Paper, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core'
import { usePages, useWrite, type Pages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Listing, type Column } from '../../../ui/listing.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { useUrlChoice } from '../../../ui/url-state.ts'
import { type Import, type ImportEffect, type Languages, type Member } from '../api.ts'
import { useImportTexts } from './import-texts.ts'
import { MessageText } from '../message-forms.tsx'
import { PlaceholderWarnings } from '../placeholder-warnings.tsx'
import { StatusMark } from '../status-mark.tsx'
import { useBulk } from '../use-bulk.ts'
import classes from '../strings.module.css'

/** What a file would change, before anything is written. */
export function ImportPending({ pending, languages }: { pending: Import; languages: Languages }) {
  const t = useImportTexts()
  const { me, mayEdit } = useSession()
  const bulk = useBulk()
  const members = usePages<Member>('/members', 'members').items
  const { summary } = pending
  const path = `/strings/imports/${encodeURIComponent(pending.importId)}`
  const cancel = useWrite<void>(() => ({ path, method: 'DELETE' }), { stale: ['/strings/imports'], done: t('cancelled') })
  const isOwn = pending.createdBy === me.user.userId
  const writes = summary.created + summary.updated
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {pending.fileName ?? t('noName')}
            </Title>
            <Text size="sm" c="dimmed" component="div">
              {isOwn
                ? t('byYou')
                : t('by', { name: members.find(({ userId }) => userId === pending.createdBy)?.name ?? t('aFormerMember') })}{' '}
              <Moment at={pending.createdAt} /> · {t('lapses')} <Moment at={pending.expiresAt} />
            </Text>
          </div>
          {mayEdit && (
            <Group gap="xs">
              <Button variant="default" loading={cancel.isPending} disabled={bulk.isBusy} onClick={() => cancel.mutate()}>
                {t('cancelImport')}
              </Button>
              <Button loading={bulk.isBusy} disabled={writes === 0} onClick={() => bulk.applyImport(pending)}>
                {t('apply')}
              </Button>
            </Group>
          )}
        </Group>
        <Counts pending={pending} />
        {writes === 0 && <Alert color="gray">{whyNothing(summary, t)}</Alert>}
        {summary.mismatchCount !== undefined && <Mismatched count={summary.mismatchCount} />}
        {summary.skippedLocales.length > 0 && <Skipped names={summary.skippedLocales} />}
        <Effects pending={pending} path={path} languages={languages} />
      </Stack>
    </Paper>
  )
}

function Counts({ pending: { summary } }: { pending: Import }) {
  const t = useImportTexts()
  const format = useFormat()
  const counts = [
    { id: 'created', value: summary.created },
    { id: 'updated', value: summary.updated },
    { id: 'unchanged', value: summary.unchanged },
    { id: 'rejected', value: summary.rejectedCount },
    { id: 'overridden', value: summary.overridden },
    { id: 'translations', value: summary.translationsWritten },
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs" component="dl" m={0}>
      {counts.map(({ id, value }) => (
        <Paper key={id} bg="var(--mantine-color-default-hover)" p="xs" px="sm">
          <Text size="xs" c="dimmed" component="dt">
            {t(id)}
          </Text>
          <Text
            fw={650}
            component="dd"
            m={0}
            c={id === 'rejected' && value > 0 ? 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))' : undefined}
          >
            {format.number(value)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}

/** Why a file would write nothing. */
function whyNothing({ rows, rejectedCount }: Import['summary'], t: ReturnType<typeof useImportTexts>): string {
  if (rejectedCount === 0) return t('nothingToDo')
  return rejectedCount === rows ? t('allRejected') : t('restRejected', { count: rejectedCount })
}

function Mismatched({ count }: { count: number }) {
  const t = useImportTexts()
  const format = useFormat()
  return (
    <Alert color="orange" title={t('mismatchedTitle', { count, number: format.number(count) })}>
      {t('mismatchedText')}
    </Alert>
  )
}

function Skipped({ names }: { names: string[] }) {
  const t = useImportTexts()
  const format = useFormat()
  return <Alert color="orange">{t('skippedColumns', { count: names.length, names: format.list(names) })}</Alert>
}

const ROWS = ['all', 'rejected', 'mismatches'] as const

function Effects({ pending, path, languages }: { pending: Import; path: string; languages: Languages }) {
  const t = useImportTexts()
  const format = useFormat()
  const rows = usePages<ImportEffect>(path, 'rows', { limit: 50 })
  const { rejected, rejectedCount, mismatches = [], mismatchCount = 0 } = pending.summary
  const there = ROWS.filter((each) => each === 'all' || (each === 'rejected' ? rejectedCount : mismatchCount) > 0)
  const [tab, setTab] = useUrlChoice('rows', there, 'all')
  const shownRejected = rejected.map((row): ImportEffect => ({ ...row, outcome: 'rejected', sendsToReview: false, translations: [] }))
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="all">{t('allRows', { number: format.number(pending.summary.rows) })}</Tabs.Tab>
        <Tabs.Tab value="rejected" disabled={rejectedCount === 0}>
          {t('rejectedRows', { number: format.number(rejectedCount) })}
        </Tabs.Tab>
        {mismatchCount > 0 && <Tabs.Tab value="mismatches">{t('mismatchedRows', { number: format.number(mismatchCount) })}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="all">
        <EffectList label={t('allRows', { number: '' })} pages={rows} languages={languages} />
      </Tabs.Panel>
      <Tabs.Panel value="rejected">
        <Stack gap="xs">
          {rejectedCount > rejected.length && <Text size="sm">{t('firstRejected', { number: format.number(rejected.length) })}</Text>}
          <EffectList
            label={t('rejectedRows', { number: '' })}
            pages={{ ...rows, items: shownRejected, total: rejectedCount, hasMore: false, isLoading: false, error: null }}
            languages={languages}
          />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="mismatches">
        <Stack gap="xs">
          {mismatchCount > mismatches.length && <Text size="sm">{t('firstRejected', { number: format.number(mismatches.length) })}</Text>}
          <MismatchList mismatches={mismatches} label={t('mismatchedRows', { number: '' })} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  )
}

type Mismatch = NonNullable<Import['summary']['mismatches']>[number]

function MismatchList({ mismatches, label }: { mismatches: Mismatch[]; label: string }) {
  const columns = useMismatchColumns()
  return (
    <Listing label={label} pages={listed(mismatches)} idOf={({ line, locale }) => `${line} ${locale}`} empty={null} columns={columns} />
  )
}

function useMismatchColumns(): Column<Mismatch>[] {
  const t = useImportTexts()
  const format = useFormat()
  return [
    { id: 'line', title: t('line'), align: 'end', width: 70, cell: ({ line }) => format.number(line) },
    { id: 'key', title: t('key'), cell: ({ key, locale }) => <MismatchedKey name={key} locale={locale} /> },
    { id: 'what', title: t('wrong'), cell: ({ warnings }) => <PlaceholderWarnings warnings={warnings} /> },
  ]
}

function MismatchedKey({ name, locale }: { name: string; locale: string }) {
  const format = useFormat()
  return (
    <Stack gap={2}>
      <Text span size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text span size="xs" c="dimmed">
        {format.language(locale)}
      </Text>
    </Stack>
  )
}

/** A list that is there as a whole. */
function listed<T>(items: T[]): Pages<T> {
  const nothing = () => {}
  return {
    items,
    total: undefined,
    isLoading: false,
    isMoreLoading: false,
    isPrevious: false,
    error: null,
    hasMore: false,
    loadMore: nothing,
    retry: nothing,
  }
}

const COLOURS = { created: 'green', updated: 'blue', unchanged: 'gray', rejected: 'red', overridden: 'yellow' } as const

type EffectListProps = { label: string; pages: Pages<ImportEffect>; languages: Languages }

function EffectList({ label, pages, languages }: EffectListProps) {
  const columns = useEffectColumns(languages)
  return <Listing label={label} pages={pages} idOf={({ line }) => String(line)} empty={null} columns={columns} />
}

function useEffectColumns(languages: Languages): Column<ImportEffect>[] {
  const t = useImportTexts()
  const format = useFormat()
  return [
    { id: 'line', title: t('line'), align: 'end', width: 70, isExtra: true, cell: ({ line }) => format.number(line) },
    {
      id: 'key',
      title: t('key'),
      cell: ({ key, outcome }) => (
        <Stack gap={4} align="flex-start">
          <Text span size="sm" className="cf-code" style={{ overflowWrap: 'anywhere' }}>
            {key || '–'}
          </Text>
          <Badge color={COLOURS[outcome]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
            {t(`outcome_${outcome}`)}
          </Badge>
        </Stack>
      ),
    },
    { id: 'what', title: t('what'), cell: (row) => <Effect row={row} languages={languages} /> },
  ]
}

/** What one row writes, or why it writes nothing. */
function Effect({
  row: { outcome, reason, message, sendsToReview, translations },
  languages,
}: {
  row: ImportEffect
  languages: Languages
}) {
  const t = useImportTexts()
  if (reason !== null) return <Text size="sm">{t(`reason_${reason}`, { message: message ?? '' })}</Text>
  if (outcome === 'overridden') return <Text size="sm">{t('overriddenText')}</Text>
  return (
    <Stack gap={6}>
      {sendsToReview && (
        <Text size="xs" c="dimmed">
          {t('sendsToReview')}
        </Text>
      )}
      {translations.map(({ locale, text, status, warnings = [] }) => (
        <Group key={locale} gap="xs" align="baseline">
          <Text span size="xs" className="cf-code" c="dimmed">
            {locale}
          </Text>
          <div className={classes.grow}>
            <MessageText text={text} locale={languages.all.find(({ code }) => code === locale)} />
          </div>
          <StatusMark status={status} />
          <PlaceholderWarnings warnings={warnings} />
        </Group>
      ))}
    </Stack>
  )
}
