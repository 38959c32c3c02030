/** Every address of the dashboard. Pages are loaded when they are opened. */
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Frame } from './frame/frame.tsx'
import { Entrance } from './frame/entrance.tsx'
import { Loading } from './frame/loading.tsx'
import { NotFound } from './frame/not-found.tsx'
import { PageFailure } from './frame/page-failure.tsx'
import { loadTexts } from './i18n.ts'
import { Door } from './modules/workspaces/door.tsx'

/** Shown when a page outside the frame fails. */
const failed = (
  <Door>
    <PageFailure />
  </Door>
)

/** A page that is loaded when it is first opened. `name` is what the module exports. */
function page<N extends string>(path: string, name: N, load: () => Promise<Record<N, React.ComponentType>>): RouteObject {
  return {
    path,
    lazy: async () => {
      const { [name]: Component } = await load()
      await loadTexts()
      return { Component }
    },
    errorElement: path.startsWith('/') ? failed : <PageFailure />,
    hydrateFallbackElement: <Loading />,
  }
}

export const router = createBrowserRouter([
  { path: '/', element: <Entrance />, errorElement: failed },
  page('/login', 'LoginPage', () => import('./modules/workspaces/login-page.tsx')),
  page('/sign-in', 'LoginPage', () => import('./modules/workspaces/login-page.tsx')),
  page('/sign-in/tried', 'TriedPage', () => import('./modules/workspaces/tried-page.tsx')),
  page('/link-account', 'LinkPage', () => import('./modules/workspaces/link-page.tsx')),
  page('/forgot-password', 'ForgotPage', () => import('./modules/workspaces/forgot-page.tsx')),
  page('/reset-password', 'ResetPage', () => import('./modules/workspaces/reset-page.tsx')),
  page('/confirm-email', 'ConfirmEmailPage', () => import('./modules/workspaces/confirm-email-page.tsx')),
  page('/device', 'DevicePage', () => import('./modules/workspaces/device-page.tsx')),
  page('/join', 'JoinPage', () => import('./modules/workspaces/join-page.tsx')),
  {
    path: '/w/:workspaceId',
    element: <Frame />,
    errorElement: failed,
    children: [
      { path: '*', element: <NotFound /> },
      page('', 'HomePage', () => import('./modules/home/home-page.tsx')),
      page('segments', 'SegmentsPage', () => import('./modules/segments/segments-page.tsx')),
      page('segments/new', 'NewSegmentPage', () => import('./modules/segments/segment-page.tsx')),
      page('segments/:id', 'SegmentPage', () => import('./modules/segments/segment-page.tsx')),
      page('journeys', 'JourneysPage', () => import('./modules/journeys/journeys-page.tsx')),
      page('journeys/new', 'NewJourneyPage', () => import('./modules/journeys/journey-page.tsx')),
      page('journeys/:id', 'JourneyPage', () => import('./modules/journeys/journey-page.tsx')),
      page('experiments', 'ExperimentsPage', () => import('./modules/experiments/experiments-page.tsx')),
      page('experiments/:id', 'ExperimentPage', () => import('./modules/experiments/experiment-page.tsx')),
      page('events', 'EventsPage', () => import('./modules/events/events-page.tsx')),
      page('events/type', 'EventTypePage', () => import('./modules/events/type-page.tsx')),
      page('analysis', 'AnalysisPage', () => import('./modules/analysis/analysis-page.tsx')),
      page('people', 'PeoplePage', () => import('./modules/people/people-page.tsx')),
      page('people/closed-contacts', 'ClosedPage', () => import('./modules/people/closed/closed-page.tsx')),
      page('people/erasures', 'ErasuresPage', () => import('./modules/people/erasures/erasures-page.tsx')),
      page('people/erasures/:id', 'ReceiptPage', () => import('./modules/people/erasures/receipt-page.tsx')),
      page('people/requests', 'RequestsPage', () => import('./modules/people/requests/requests-page.tsx')),
      page('people/devices/:deviceId', 'DevicePage', () => import('./modules/people/device-page.tsx')),
      page('people/:userId', 'PersonPage', () => import('./modules/people/person-page.tsx')),
      page('content', 'ContentPage', () => import('./modules/content/content-page.tsx')),
      page('content/types', 'BlockTypesPage', () => import('./modules/content/types/block-types-page.tsx')),
      page('content/types/new-type', 'NewBlockTypePage', () => import('./modules/content/types/edit-block-type-page.tsx')),
      page('content/types/:blockKey', 'BlockTypePage', () => import('./modules/content/types/block-type-page.tsx')),
      page('content/types/:blockKey/edit', 'EditBlockTypePage', () => import('./modules/content/types/edit-block-type-page.tsx')),
      page('content/:blockKey/:instanceId', 'InstancePage', () => import('./modules/content/editor/instance-page.tsx')),
      page('library', 'LibraryPage', () => import('./modules/media/library-page.tsx')),
      page('campaigns', 'CampaignsPage', () => import('./modules/campaigns/campaigns-page.tsx')),
      page('campaigns/new', 'NewCampaignPage', () => import('./modules/campaigns/composer/composer-page.tsx')),
      page('campaigns/:id', 'CampaignPage', () => import('./modules/campaigns/campaign-page.tsx')),
      page('campaigns/:id/edit', 'EditCampaignPage', () => import('./modules/campaigns/composer/composer-page.tsx')),
      page('mails', 'MailsPage', () => import('./modules/mails/library/mails-page.tsx')),
      page('mails/:id', 'MailPage', () => import('./modules/mails/library/mail-page.tsx')),
      page('data', 'DataPage', () => import('./modules/data/data-page.tsx')),
      page('data/import', 'DataImportPage', () => import('./modules/data/import/import-page.tsx')),
      page('settings/:tab?', 'SettingsPage', () => import('./modules/settings/settings-page.tsx')),
      page('strings', 'StringsPage', () => import('./modules/strings/table/strings-page.tsx')),
      page('strings/import', 'ImportPage', () => import('./modules/strings/files/import-page.tsx')),
      page('strings/languages', 'LanguagesPage', () => import('./modules/strings/languages/languages-page.tsx')),
    ],
  },
  {
    path: '*',
    element: (
      <Door>
        <NotFound />
      </Door>
    ),
  },
])
