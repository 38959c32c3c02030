import { Tabs } from '@mantine/core'
import { useUrlState } from '../../ui/url-state.ts'
import { Editor } from './editor.tsx'
import { useTexts } from './texts.ts'
import type { useEditing } from './use-editing.ts'

export function JourneyTabs({ editing }: { editing: ReturnType<typeof useEditing> }) {
  const t = useTexts()
  const [tab, setTab] = useUrlState('tab', 'steps')
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? 'steps')} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="steps">{t('tabSteps')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="steps" pt="md">
        <Editor undo={editing.undo} redo={editing.redo} />
      </Tabs.Panel>
    </Tabs>
  )
}
