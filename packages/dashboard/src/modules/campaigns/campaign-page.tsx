import { Skeleton, Tabs } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { useSession } from '../../session.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { HeadActions } from './actions/head-actions.tsx'
import { campaignPath, useCampaign, type Campaign } from './api.ts'
import { CampaignNotices } from './campaign-notices.tsx'
import { CampaignOverview } from './campaign-overview.tsx'
import { CampaignState, ChangedSince } from './campaign-state.tsx'
import { PendingEdits } from './review/pending-edits.tsx'
import { useTexts } from './texts.ts'
import { useGoalName } from './words.ts'

const Report = lazy(async () => ({ default: (await import('./report/report.tsx')).Report }))
const EditRequests = lazy(async () => ({ default: (await import('./review/edit-requests.tsx')).EditRequests }))
const History = lazy(async () => ({ default: (await import('./campaign-history.tsx')).CampaignHistory }))

const TABS = ['campaign', 'report', 'edits', 'history'] as const

/** A campaign as it stands: what it says, what became of it, what waits, and what happened. */
export function CampaignPage() {
  const t = useTexts()
  const { workspace } = useSession()
  const { id = '' } = useParams()
  const path = [{ label: t('title'), to: campaignPath(workspace.id) }]
  return (
    <LoadedPage read={useCampaign(id)} title={t('title')} path={path} failed={t('openFailed')}>
      {(campaign) => <OpenCampaign key={campaign.id} campaign={campaign} path={path} />}
    </LoadedPage>
  )
}

function OpenCampaign({ campaign, path }: { campaign: Campaign; path: { label: string; to: string }[] }) {
  const t = useTexts()
  const goalName = useGoalName()
  const wasLive = ['active', 'paused', 'completed', 'expired'].includes(campaign.status)
  const [tab, setTab] = useUrlChoice('tab', TABS, wasLive ? 'report' : 'campaign')
  return (
    <Page
      title={campaign.name}
      path={path}
      beside={
        <>
          <CampaignState status={campaign.status} />
          {campaign.changedSinceApproval.length > 0 && <ChangedSince />}
        </>
      }
      subtitle={goalName(campaign.type)}
      actions={<HeadActions campaign={campaign} />}
    >
      <CampaignNotices campaign={campaign} />
      <PendingEdits campaign={campaign} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="campaign" pt="md">
          <CampaignOverview campaign={campaign} />
        </Tabs.Panel>
        <Suspense fallback={<Skeleton height={240} mt="md" />}>
          <Tabs.Panel value="report" pt="md">
            <Report campaign={campaign} />
          </Tabs.Panel>
          <Tabs.Panel value="edits" pt="md">
            <EditRequests campaign={campaign} />
          </Tabs.Panel>
          <Tabs.Panel value="history" pt="md">
            <History campaignId={campaign.id} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Page>
  )
}
