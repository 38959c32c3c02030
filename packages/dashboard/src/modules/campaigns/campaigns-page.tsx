import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { campaignPath } from './api.ts'
import { CampaignTable } from './campaign-table.tsx'
import { useTexts } from './texts.ts'

const CampaignCalendar = lazy(async () => ({ default: (await import('./campaign-calendar.tsx')).CampaignCalendar }))

const VIEWS = ['list', 'calendar'] as const

/** Every campaign, as a list or by their days. */
export function CampaignsPage() {
  const t = useTexts()
  const { mayEdit, workspace } = useSession()
  const [view, setView] = useUrlChoice('view', VIEWS, 'list')
  const create = mayEdit && (
    <Button component={Link} to={campaignPath(workspace.id, 'new')} leftSection={<IconPlus size={16} aria-hidden />}>
      {t('create')}
    </Button>
  )
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={create}>
      <Stack>
        <Group>
          <SegmentedControl
            aria-label={t('view')}
            value={view}
            onChange={setView}
            data={[
              { value: 'list', label: t('list') },
              { value: 'calendar', label: t('calendar') },
            ]}
          />
        </Group>
        {view === 'calendar' ? (
          <Suspense fallback={<Skeleton height={480} />}>
            <CampaignCalendar />
          </Suspense>
        ) : (
          <CampaignTable create={create} />
        )}
      </Stack>
    </Page>
  )
}
