import { Button, Tabs } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../session.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { ImportsTab } from './imports-tab.tsx'
import { PrioritiesTab } from './priorities-tab.tsx'
import { SourcesTab } from './sources-tab.tsx'
import { useTexts } from './texts.ts'

const TABS = ['imports', 'sources', 'priorities'] as const

/** Data about people from other systems: imports, saved sources, and priorities. */
export function DataPage() {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const [tab, setTab] = useUrlChoice('tab', TABS, 'imports')
  const begin = mayEdit && (
    <Button component={Link} to={`/w/${workspace.id}/data/import`} leftSection={<IconFileImport size={16} aria-hidden />}>
      {t('importFile')}
    </Button>
  )
  return (
    <Page title={t('title')} subtitle={t('lead')} actions={begin}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          {TABS.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {t(`tab_${id}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="imports" pt="md">
          <ImportsTab begin={begin} />
        </Tabs.Panel>
        <Tabs.Panel value="sources" pt="md">
          <SourcesTab begin={begin} />
        </Tabs.Panel>
        <Tabs.Panel value="priorities" pt="md">
          <PrioritiesTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
