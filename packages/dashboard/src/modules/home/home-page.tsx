import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useCalendar } from '../../calendar.ts'
import { usePages, useRead } from '../../data.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import type { Overview, Summary } from '../content/api.ts'
import { PlaceholderNotice } from '../people/placeholders/placeholder-notice.tsx'
import { Proposals } from '../settings/protection/proposals.tsx'
import { useUndecided } from '../settings/protection/use-undecided.ts'
import { Activity } from './activity-section.tsx'
import { rangesOf, readSpan, type Analytics } from './activity.ts'
import { FirstSteps } from './first-steps-section.tsx'
import { LiveNow } from './live-now.tsx'
import { NextDays } from './next-days.tsx'
import { TopBlocks } from './top-blocks.tsx'
import { useFirstSteps } from './use-first-steps.ts'
import { Waiting } from './waiting.tsx'

/** Loaded behind the page, which has to be small. */
const PinnedReports = lazy(() => import('../analysis/pinned-reports.tsx'))

/** How many days are read ahead: the strip shows 14 of them, and a sentence mentions the rest. */
const DAYS_AHEAD = 90

/** What is live, for whom and since when; and what waits for a member. */
export function HomePage() {
  const { workspace } = useSession()
  const overview = useRead<Overview>('/content/overview', { days: DAYS_AHEAD, locale: useLanguage() }, { every: 30_000 })
  const instances = usePages<Summary>('/instances', 'instances', { limit: 50 })
  const { steps, error, retry } = useFirstSteps(overview.data, instances.items)
  const { isUndecided, decide } = useUndecided()
  const failed = (!overview.data && overview.error) || (!steps && (error ?? instances.error))
  if (failed)
    return (
      <Page title={workspace.name}>
        <Failure error={failed} onRetry={() => (void overview.refetch(), instances.retry(), retry())} />
      </Page>
    )
  // Nothing is shown until it is known whether the workspace is new.
  if (!overview.data || !steps || instances.isLoading || isUndecided === undefined)
    return (
      <Page title={workspace.name}>
        <SimpleGrid cols={{ base: 1, md: 2 }} aria-busy>
          {[360, 360, 240, 240].map((height, index) => (
            <Skeleton key={index} height={height} />
          ))}
        </SimpleGrid>
      </Page>
    )
  if (!steps.done.publish)
    return (
      <Page title={workspace.name}>
        {isUndecided && <Proposals decide={decide} />}
        <FirstSteps steps={steps} instances={instances.items} />
      </Page>
    )
  return (
    <Page title={workspace.name}>
      {steps.isShown && isUndecided && <Proposals decide={decide} />}
      {steps.isShown && <FirstSteps steps={steps} instances={instances.items} onHide={steps.hide} />}
      <Figures overview={overview.data} />
    </Page>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const [span, setSpan] = useUrlState('span', '7d')
  const chosen = readSpan(span)
  const { timeZone } = useCalendar()
  const { current, before } = rangesOf(chosen, Date.now(), timeZone)
  const now = useRead<Analytics>('/analytics/overview', current, { every: 60_000 })
  const then = useRead<Analytics>('/analytics/overview', before)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <Stack gap="lg" miw={0}>
        <LiveNow screens={overview.screens} />
        <NextDays upcoming={overview.upcoming} campaigns={overview.waiting.scheduledCampaigns} />
      </Stack>
      <Stack gap="lg" miw={0}>
        <Activity span={chosen} onSpan={setSpan} now={now} then={then} />
        <TopBlocks analytics={now} />
        <Suspense>
          <PinnedReports />
        </Suspense>
        <Waiting waiting={overview.waiting} />
        <PlaceholderNotice />
      </Stack>
    </SimpleGrid>
  )
}
