import { Alert, Badge, Button, SegmentedControl, Stack, Tabs, TextInput } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldsByTag } from '@contentflow/core/blocks/instance.ts'
import { instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useSession } from '../../../session.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import type { Definition, Instance, Locale } from './api.ts'
import { AudienceSection } from './delivery/audience-section.tsx'
import { useChildren } from './fields/use-children.ts'
import { EditorContext, type Editor } from './editor-context.tsx'
import { EditorDialogs } from './editor-dialogs.tsx'
import { findFaults } from './changes/faults.ts'
import { HeadActions, UnsavedBar } from './head-actions.tsx'
import { OrderSection } from './delivery/order-section.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { RevisionsPanel } from './changes/revisions-panel.tsx'
import { ScheduleSection } from './delivery/schedule-section.tsx'
import { useTexts } from './texts.ts'
import { useDraft } from './use-draft.ts'
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
  const draft = useDraft(instance)
  const { content, changes } = draft
  const fields = useMemo(() => [...fieldsByTag(definition.fields).values()], [definition])
  const faults = useMemo(() => findFaults(definition.fields, content), [definition, content])
  const { children } = useChildren(fields, content)
  const isDirty = changes.length > 0
  const [isGone, setGone] = useState(false)
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
  const { targets } = instance
  const state = instanceState(
    { isLive: targets.includes('live'), isTest: targets.includes('test'), schedule: instance.schedule },
    Date.now(),
  )
  return (
    <EditorContext value={editor}>
      <Page
        title={content.title || t('untitled')}
        path={[
          { label: t('content'), to: root },
          { label: definition.name, to: `${root}/types/${definition.key}` },
        ]}
        beside={
          <>
            <StateBadge state={state} />
            {instance.live !== null && instance.live !== instance.head && (
              <Badge variant="dot" color="orange" tt="none" radius="sm">
                {t('notPublished')}
              </Badge>
            )}
            {isDirty && (
              <Badge variant="dot" color="orange" tt="none" radius="sm">
                {t('unsavedMark')}
              </Badge>
            )}
          </>
        }
        subtitle={
          <>
            {definition.screen && `${definition.screen} · `}
            {t('version', { number: instance.version })} · {t('saved')} <Moment at={instance.updatedAt} />
          </>
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
        <Columns
          form={
            <Stack gap="md" component="form" onSubmit={(event: React.FormEvent) => event.preventDefault()}>
              <Section title={t('nameSection')} text={t('nameText')}>
                <TextInput
                  aria-label={t('name')}
                  value={content.title}
                  onChange={({ currentTarget }) => draft.change({ setting: 'title' }, currentTarget.value)}
                  readOnly={!mayEdit}
                  maxLength={LIMITS.instanceTitleLength}
                  dir="auto"
                />
              </Section>
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
          revisions={<RevisionsPanel onRollBack={actions.rollBack} isRollingBack={actions.isRollingBack} hasUnsaved={isDirty} />}
        />
      </Page>
      <EditorDialogs actions={actions} draft={draft} />
      <UnsavedGuard isDirty={isDirty && !isGone} />
    </EditorContext>
  )
}

/** Side by side where there is room for both; otherwise one at a time. */
function Columns({ form, preview, revisions }: { form: React.ReactNode; preview: React.ReactNode; revisions: React.ReactNode }) {
  const t = useTexts()
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false })
  const [side, setSide] = useUrlState('side', 'preview')
  const [view, setView] = useUrlState('view', 'edit')
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
            { value: 'revisions', label: t('revisions') },
          ]}
        />
        {/* The form stays, so that nothing half typed is lost by a look at the preview. */}
        <div hidden={view !== 'edit'} className={classes.form}>
          {form}
        </div>
        {view === 'preview' && preview}
        {view === 'revisions' && revisions}
      </Stack>
    )
  return (
    <div className={classes.sideBySide}>
      <div className={classes.form}>{form}</div>
      <div className={classes.side}>
        <Tabs value={side} onChange={(next) => setSide(next ?? 'preview')} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="preview">{t('preview')}</Tabs.Tab>
            <Tabs.Tab value="revisions">{t('revisions')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="preview">{preview}</Tabs.Panel>
          <Tabs.Panel value="revisions">{revisions}</Tabs.Panel>
        </Tabs>
      </div>
    </div>
  )
}
