import { Alert, Badge, Button, Group, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldsByTag } from '@contentflow/core/blocks/instance.ts'
import { useSession } from '../../../session.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { FoundWork, useFoundWork, useKeepWork } from '../../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { InstanceState } from '../instance-words.tsx'
import type { Definition, Instance, Locale } from './api.ts'
import { AudienceSection } from './delivery/audience-section.tsx'
import { useChildren } from './fields/use-children.ts'
import { EditorContext, type Editor } from './editor-context.tsx'
import { EditorColumns } from './editor-columns.tsx'
import { EditorDialogs } from './editor-dialogs.tsx'
import { findFaults } from './changes/faults.ts'
import { HeadActions, UnsavedBar } from './head-actions.tsx'
import { OrderSection } from './delivery/order-section.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { HistoryPanel } from './changes/history-panel.tsx'
import { PlannedList } from './changes/planned-list.tsx'
import { ReviewNotices } from './changes/review-notice.tsx'
import { ResultsPanel } from './results/results-panel.tsx'
import { SettingBar } from './delivery/setting-bar.tsx'
import { ScheduleSection } from './delivery/schedule-section.tsx'
import { useTexts } from './texts.ts'
import { NameField } from './name-field.tsx'
import { useDraft, type Draft } from './use-draft.ts'
import { useInstanceState } from './use-instance-state.ts'
import { useInstanceActions } from './use-instance-actions.ts'
import { ValueFields } from './fields/value-fields.tsx'
import { VariantsSection } from './delivery/variants-section.tsx'
import classes from './editor.module.css'

type Props = { definition: Definition; instance: Instance; locales: Locale[] }

/** The form on one side, what comes of it and what was before on the other. */
export function InstanceEditor({ definition, instance, locales }: Props) {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const navigate = useNavigate()
  const thing = `instance/${instance.blockKey}/${instance.id}`
  const found = useFoundWork<Pick<Draft, 'base' | 'version' | 'content'>>(thing)
  const draft = useDraft(instance, mayEdit ? found?.value : undefined)
  const { content, changes } = draft
  const fields = useMemo(() => [...fieldsByTag(definition.fields).values()], [definition])
  const faults = useMemo(() => findFaults(definition.fields, content), [definition, content])
  const { children } = useChildren(fields, content)
  const isDirty = changes.length > 0
  const [isGone, setGone] = useState(false)
  const { base, version } = draft
  const { forget } = useKeepWork(thing, isDirty && !isGone ? { base, version, content } : undefined)
  const root = `/w/${workspace.id}/content`
  const actions = useInstanceActions({
    instance,
    draft,
    faults,
    onGone: () => setGone(true),
    open: (path) => void navigate(`${root}${path}`),
  })
  useHotkeys([['mod+S', () => mayEdit && actions.save()]], [])

  const editor: Editor = {
    definition,
    fields,
    instance,
    content,
    change: draft.change,
    replace: draft.replace,
    isReadOnly: !mayEdit,
    locales,
    source: locales.find(({ source }) => source),
    faults,
    children,
  }
  const summary = useInstanceState(instance)
  return (
    <EditorContext value={editor}>
      <Page
        title={content.title || t('untitled')}
        path={[
          { label: t('content'), to: root },
          { label: definition.name, to: `${root}/types/${definition.key}` },
        ]}
        titleField={<NameField />}
        subtitle={
          <Group gap="xs">
            <InstanceState instance={summary} />
            {isDirty && (
              <Badge variant="dot" color="orange" tt="none" radius="sm">
                {t('unsavedMark')}
              </Badge>
            )}
            <span>
              {definition.screen && `${definition.screen} · `}
              {t('version', { number: instance.version })} · {t('saved')} <Moment at={instance.updatedAt} />
            </span>
          </Group>
        }
        actions={
          <HeadActions
            isDirty={isDirty}
            isSaving={actions.isSaving}
            onSave={actions.save}
            onAsk={actions.ask}
            onDuplicate={actions.duplicate}
            isDuplicating={actions.isDuplicating}
          />
        }
      >
        <FoundWork found={found} isDirty={isDirty} onDiscard={draft.discard} />
        {draft.isBehind && (
          <Alert color="orange" icon={<IconUsers aria-hidden />} title={t('behindTitle')} role="alert">
            <Stack align="flex-start" gap="xs">
              {t('behindText', { version: instance.version })}
              <Button size="xs" variant="default" onClick={() => actions.ask('conflict')}>
                {t('seeBoth')}
              </Button>
            </Stack>
          </Alert>
        )}
        <ReviewNotices />
        <PlannedList />
        <EditorColumns
          form={
            <Stack gap="md" component="form" onSubmit={(event: React.FormEvent) => event.preventDefault()}>
              <SettingBar />
              <ValueFields />
              <AudienceSection />
              <ScheduleSection />
              <VariantsSection />
              <OrderSection />
              {isDirty && mayEdit && (
                <div className={classes.unsaved}>
                  <UnsavedBar count={changes.length} isSaving={actions.isSaving} onSave={actions.save} onDiscard={draft.discard} />
                </div>
              )}
            </Stack>
          }
          preview={<PreviewPanel />}
          results={<ResultsPanel />}
          revisions={
            <HistoryPanel
              onRollBack={actions.rollBack}
              isRollingBack={actions.isRollingBack}
              onPublish={actions.askRevision}
              hasUnsaved={isDirty}
            />
          }
        />
      </Page>
      <EditorDialogs actions={actions} draft={draft} />
      <UnsavedGuard isDirty={isDirty && !isGone} onLeave={forget} />
    </EditorContext>
  )
}
