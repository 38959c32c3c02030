import { Tabs } from '@mantine/core'
import { useSession } from '../../session.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { Editor } from './editor.tsx'
import { PeopleTab } from './participants/people-tab.tsx'
import { ReportTab } from './report/report-tab.tsx'
import { useTexts } from './texts.ts'
import { TryTab } from './try/try-tab.tsx'
import { VersionsTab } from './versions/versions-tab.tsx'
import type { useEditing } from './use-editing.ts'

const TABS_OF_VIEWERS = ['steps', 'report', 'people', 'versions'] as const
const TABS = ['try', ...TABS_OF_VIEWERS] as const

export function JourneyTabs({ editing }: { editing: ReturnType<typeof useEditing> }) {
  const t = useTexts()
  const { mayEdit } = useSession()
  const [tab, setTab] = useUrlChoice('tab', mayEdit ? TABS : TABS_OF_VIEWERS, 'steps')
  const { stored } = editing
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="steps">{t('tabSteps')}</Tabs.Tab>
        {mayEdit && <Tabs.Tab value="try">{t('tabTry')}</Tabs.Tab>}
        <Tabs.Tab value="report">{t('tabReport')}</Tabs.Tab>
        <Tabs.Tab value="people">{t('tabPeople')}</Tabs.Tab>
        <Tabs.Tab value="versions">{t('tabVersions')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps" pt="md">
        <Editor undo={editing.undo} redo={editing.redo} />
      </Tabs.Panel>
      <Tabs.Panel value="try" pt="md">
        <TryTab journey={stored} isDirty={editing.isDirty} />
      </Tabs.Panel>
      <Tabs.Panel value="report" pt="md">
        <ReportTab journey={stored} />
      </Tabs.Panel>
      <Tabs.Panel value="people" pt="md">
        <PeopleTab journey={stored} />
      </Tabs.Panel>
      <Tabs.Panel value="versions" pt="md">
        <VersionsTab journey={stored} />
      </Tabs.Panel>
    </Tabs>
  )
}
