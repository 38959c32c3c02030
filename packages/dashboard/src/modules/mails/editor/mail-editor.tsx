import { ActionIcon, Badge, Group, Stack, Tabs, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../../format.ts'
import { Canvas } from './canvas/canvas.tsx'
import { DragArea } from './canvas/drag.tsx'
import { LeftOut } from './canvas/left-out.tsx'
import { Palette } from './canvas/palette.tsx'
import { EditingContext, useEditing, useWholeMail } from './editing-context.ts'
import { LanguageTabs, MissingTexts, SubjectFields } from './mail-head.tsx'
import { Properties } from './panel/properties.tsx'
import { CheckList } from './preview/check-list.tsx'
import { MailLookPanel } from './preview/mail-look.tsx'
import { useMailChecks } from './preview/use-sample.ts'
import { useTexts } from './texts.ts'
import { useMailEditing, type EditorProps } from './use-mail-editing.ts'
import classes from './editor.module.css'

/** Writes a mail of sections: what it is made of, its words in every language, and beside it how it looks. */
export function MailEditor(props: EditorProps) {
  const t = useTexts()
  const { editing, said } = useMailEditing(props)
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return
    // A field has steps of its own.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) editing.undo()
    else if ((key === 'z' && event.shiftKey) || key === 'y') editing.redo()
    else return
    event.preventDefault()
  }
  return (
    <EditingContext value={editing}>
      <DragArea>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the whole editor, whatever in it has the focus */}
        <div className={classes.editor} role="group" aria-label={t('editor')} onKeyDown={onKey}>
          <LanguageTabs aside={<Steps />}>
            <Stack gap="sm" miw={0}>
              <SubjectFields />
              {editing.variantOf ? (
                <LeftOut />
              ) : (
                <>
                  <MissingTexts />
                  <Palette />
                </>
              )}
              <Canvas />
            </Stack>
          </LanguageTabs>
          <Side />
        </div>
      </DragArea>
      <div aria-live="polite" className="cf-visually-hidden">
        {said}
      </div>
    </EditingContext>
  )
}

function Steps() {
  const t = useTexts()
  const { undo, redo, canUndo, canRedo } = useEditing()
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={t('undo')}>
        <ActionIcon variant="default" size={32} aria-label={t('undo')} disabled={!canUndo} onClick={undo}>
          <IconArrowBackUp size={18} className="cf-mirrored" aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('redo')}>
        <ActionIcon variant="default" size={32} aria-label={t('redo')} disabled={!canRedo} onClick={redo}>
          <IconArrowForwardUp size={18} className="cf-mirrored" aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

/** Beside the mail: what is selected, how it looks, and what is to be corrected. */
function Side() {
  const t = useTexts()
  const format = useFormat()
  const { brand } = useEditing()
  const [tab, setTab] = useState<string | null>('properties')
  const checks = useMailChecks(useWholeMail(), brand)
  const isStopped = checks.some(({ level }) => level === 'stop')
  return (
    <div className={classes.side}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List grow>
          <Tabs.Tab value="properties">{t('properties')}</Tabs.Tab>
          <Tabs.Tab value="preview">{t('preview')}</Tabs.Tab>
          <Tabs.Tab
            value="checks"
            rightSection={
              checks.length > 0 && (
                <Badge size="sm" variant="light" color={isStopped ? 'red' : 'orange'} circle={checks.length < 10}>
                  {format.number(checks.length)}
                </Badge>
              )
            }
          >
            {t('checks')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="properties" pt="md">
          <Properties />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="md">
          <MailLookPanel />
        </Tabs.Panel>
        <Tabs.Panel value="checks" pt="md">
          <CheckList onJump={() => setTab('properties')} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
