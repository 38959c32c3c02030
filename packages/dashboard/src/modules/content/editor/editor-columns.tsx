import { SegmentedControl, Stack, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useUrlChoice } from '../../../ui/url-state.ts'
import { useTexts } from './texts.ts'
import classes from './editor.module.css'

const SIDES = ['preview', 'results', 'revisions'] as const
const VIEWS = ['edit', ...SIDES] as const

/** Side by side where there is room for both; otherwise one at a time. */
export function EditorColumns({
  form,
  preview,
  results,
  revisions,
}: {
  form: React.ReactNode
  preview: React.ReactNode
  results: React.ReactNode
  revisions: React.ReactNode
}) {
  const t = useTexts()
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false })
  const [side, setSide] = useUrlChoice('side', SIDES, 'preview')
  const [view, setView] = useUrlChoice('view', VIEWS, 'edit')
  if (isNarrow)
    return (
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label={t('view')}
          value={view}
          onChange={setView}
          data={[
            { value: 'edit', label: t('edit') },
            { value: 'preview', label: t('preview') },
            { value: 'results', label: t('results') },
            { value: 'revisions', label: t('revisions') },
          ]}
        />
        {/* The form stays, so that nothing half typed is lost by a look at the preview. */}
        <div hidden={view !== 'edit'} className={classes.form}>
          {form}
        </div>
        {view === 'preview' && preview}
        {view === 'results' && results}
        {view === 'revisions' && revisions}
      </Stack>
    )
  return (
    <div className={classes.sideBySide}>
      <div className={classes.form}>{form}</div>
      <div className={classes.side}>
        <Tabs value={side} onChange={setSide} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="preview">{t('preview')}</Tabs.Tab>
            <Tabs.Tab value="results">{t('results')}</Tabs.Tab>
            <Tabs.Tab value="revisions">{t('revisions')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="preview">{preview}</Tabs.Panel>
          <Tabs.Panel value="results">{results}</Tabs.Panel>
          <Tabs.Panel value="revisions">{revisions}</Tabs.Panel>
        </Tabs>
      </div>
    </div>
  )
}
