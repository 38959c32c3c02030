import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { OpenMade } from '../../ui/open-made.tsx'
import { EditNotices } from '../../ui/unsaved/edit-notices.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Page } from '../../ui/page.tsx'
import { FoundWork } from '../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { useJourney, useReport, type Journey } from './api.ts'
import { EditorProvider } from './editor-provider.tsx'
import { Editor } from './editor.tsx'
import { JourneyActions, NewJourneyActions } from './journey-actions.tsx'
import { JourneyBadge } from './journey-badge.tsx'
import { JourneyTabs } from './journey-tabs.tsx'
import { NameField } from './name-field.tsx'
import { TemplateCards } from './templates/template-cards.tsx'
import { makeTemplate, TEMPLATES, type TemplateName } from './templates/templates.ts'
import { useTemplateTexts } from './templates/texts-templates.ts'
import { useTexts } from './texts.ts'
import { useAround } from './use-around.ts'
import { useEditing, useNewJourney } from './use-editing.ts'

function usePath() {
  const t = useTexts()
  const { workspace } = useSession()
  return [{ label: t('title'), to: `/w/${workspace.id}/journeys` }]
}

/** A template is chosen first; it is in the address. */
export function NewJourneyPage() {
  const t = useTexts()
  const path = usePath()
  const { locales } = useAround()
  const [params] = useSearchParams()
  const template = TEMPLATES.find((each) => each === params.get('template'))
  if (!template)
    return (
      <Page title={t('newJourney')} path={path}>
        <TemplateCards />
      </Page>
    )
  if (!locales)
    return (
      <Page title={t('newJourney')} path={path}>
        <Skeleton height={420} />
      </Page>
    )
  return <NewJourney key={template} template={template} />
}

function NewJourney({ template }: { template: TemplateName }) {
  const t = useTexts()
  const templates = useTemplateTexts()
  const path = usePath()
  const { locales = [] } = useAround()
  const [start] = useState(() => makeTemplate(template, templates(template), locales))
  const { draft, edit, create, made, save, undo, redo, isDirty, found, forget, discard } = useNewJourney(start, template)
  if (made) return <OpenMade to={`../${made.id}`} thing={`journey/${made.id}`} work={made.work} />
  return (
    <EditorProvider draft={draft} edit={edit} isLocked={false} report={undefined}>
      <Page
        title={draft.name.trim() || t('untitled')}
        titleField={<NameField />}
        path={path}
        actions={<NewJourneyActions onSave={save} isBusy={create.isPending} />}
      >
        <FoundWork found={found} isDirty={isDirty} onDiscard={discard} />
        {create.error && <Failure error={create.error} />}
        <Editor undo={undo} redo={redo} />
        <UnsavedGuard isDirty={isDirty} onLeave={forget} />
      </Page>
    </EditorProvider>
  )
}

export function JourneyPage() {
  const t = useTexts()
  const path = usePath()
  const { id = '' } = useParams()
  return (
    <LoadedPage read={useJourney(id)} title={t('title')} path={path} failed={t('openFailed')}>
      {(journey) => <OpenJourney key={journey.id} journey={journey} />}
    </LoadedPage>
  )
}

function OpenJourney({ journey }: { journey: Journey }) {
  const t = useTexts()
  const path = usePath()
  const { mayEdit } = useSession()
  const editing = useEditing(journey)
  const { draft, stored } = editing
  const report = useReport(stored).data
  const isLocked = !mayEdit || stored.status === 'active'
  return (
    <EditorProvider draft={draft} edit={editing.edit} isLocked={isLocked} report={report}>
      <Page
        title={draft.name.trim() || t('untitled')}
        titleField={<NameField />}
        beside={<JourneyBadge status={stored.status} incomplete={stored.incomplete} />}
        path={path}
        actions={mayEdit && <JourneyActions editing={editing} />}
      >
        <EditNotices
          editing={editing}
          words={{ title: t('changedTitle'), text: t('changedText'), mine: t('saveMine'), theirs: t('loadTheirs') }}
        />
        <JourneyTabs editing={editing} />
      </Page>
    </EditorProvider>
  )
}
