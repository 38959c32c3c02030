import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Page } from '../../ui/page.tsx'
import { EnvironmentSwitch, useEnvironment } from '../../ui/environment.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useUrlChoice, useUrlState } from '../../ui/url-state.ts'
import { useRead } from '../../data.ts'
import { REPORTS, type Definitions, type QuestionKind, type Report } from './api.ts'
import { Question } from './question.tsx'
import { ReportsTab } from './reports/reports-tab.tsx'
import { useTexts } from './texts.ts'

const VIEWS = ['explore', 'funnel', 'retention', 'reports'] as const

/** What people do in the apps of a workspace: asked, and kept. */
export function AnalysisPage() {
  const t = useTexts()
  const [view, setView] = useUrlChoice('view', VIEWS, 'explore')
  const [report, setReport] = useUrlState('report')
  const [environment, setEnvironment] = useEnvironment()
  const change = (next: string) => {
    setReport('')
    setView(next)
  }
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <Stack>
        <Group gap="sm">
          <SegmentedControl
            aria-label={t('view')}
            data={VIEWS.map((value) => ({ value, label: t(`view_${value}`) }))}
            value={view}
            onChange={change}
          />
          <EnvironmentSwitch value={environment} onChange={setEnvironment} />
        </Group>
        {view === 'reports' ? (
          <ReportsTab />
        ) : report === '' ? (
          <NewQuestion key={view} kind={view} environment={environment} />
        ) : (
          <SavedQuestion key={`${view} ${report}`} kind={view} id={report} environment={environment} />
        )}
      </Stack>
    </Page>
  )
}

/** What a question begins with. */
const FIRST: Definitions = {
  explore: { types: [], days: 30, interval: 'day', metric: 'events' },
  funnel: { steps: [{ type: '' }, { type: '' }], days: 30, withinMinutes: 10_080, order: 'in_order' },
  retention: { start: { type: '' }, return: { type: '' }, unit: 'week', periods: 8 },
}

type OfKind = { kind: QuestionKind; environment: 'live' | 'test' }

function NewQuestion({ kind, environment }: OfKind) {
  return <Question kind={kind} initial={FIRST[kind]} environment={environment} />
}

function SavedQuestion({ kind, id, environment }: OfKind & { id: string }) {
  const t = useTexts()
  const found = useRead<Report>(`${REPORTS}/${encodeURIComponent(id)}`)
  const report = found.data
  const initial = useMemo(() => report && { ...FIRST[kind], ...report.definition }, [report, kind])
  if (report && report.kind !== kind) return <Text>{t('reportGone')}</Text>
  return (
    <Loaded read={found} height={300}>
      {(saved) => <Question key={saved.version} kind={kind} initial={initial!} saved={saved} environment={environment} />}
    </Loaded>
  )
}
