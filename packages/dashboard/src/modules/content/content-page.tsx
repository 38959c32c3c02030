import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice, useUrlState } from '../../ui/url-state.ts'
import { typesPath } from './api.ts'
import { DeletedInstances } from './deleted-instances.tsx'
import { InstanceTable } from './instance-table.tsx'
import { MonthView } from './month-view.tsx'
import { NewInstance } from './new-instance.tsx'
import { ScreenBoard } from './screen-board.tsx'
import { useTexts } from './texts.ts'

const VIEWS = ['screens', 'table', 'calendar', 'deleted'] as const

/** All instances of a workspace: on their screens, as a table, or on a calendar. */
export function ContentPage() {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const [view, setView] = useUrlChoice('view', VIEWS, 'screens')
  const [making, setMaking] = useUrlState('new')
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Button variant="default" component={Link} to={typesPath(workspace.id)}>
            {t('types')}
          </Button>
          {mayEdit && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setMaking('instance')}>
              {t('newInstance')}
            </Button>
          )}
        </>
      }
    >
      <Group>
        <SegmentedControl
          aria-label={t('view')}
          value={view}
          onChange={setView}
          data={[
            { value: 'screens', label: t('byScreen') },
            { value: 'table', label: t('table') },
            { value: 'calendar', label: t('calendar') },
            { value: 'deleted', label: t('deleted') },
          ]}
        />
      </Group>
      {view === 'table' ? (
        <InstanceTable />
      ) : view === 'calendar' ? (
        <MonthView />
      ) : view === 'deleted' ? (
        <DeletedInstances />
      ) : (
        <ScreenBoard onNew={mayEdit ? setMaking : undefined} />
      )}
      {mayEdit && <NewInstance opened={making !== ''} blockKey={making === 'instance' ? '' : making} onClose={() => setMaking('')} />}
    </Page>
  )
}
