import { Alert, Button, Group, Menu, ActionIcon, Paper, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { IconAlertTriangle, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { call, type ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { FoundWork, useFoundWork, useKeepWork } from '../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { useUrlChoice } from '../../ui/url-state.ts'
import { useSegment, type Segment, type SegmentBody } from './api.ts'
import { DeleteSegment } from './delete-segment.tsx'
import { ExplainOne } from './explanation.tsx'
import { Members } from './members.tsx'
import { RenameSegment } from './rename-segment.tsx'
import { RulesInWords } from './rules/rules-in-words.tsx'
import { SegmentForm } from './segment-form.tsx'
import { draftOfSegment, hasName, hasWholeRules, isSame, newSegment, toBody, type SegmentDraft } from './segment-draft.ts'
import { Freshness } from './segments-page.tsx'
import { SavedByOthers } from '../../ui/unsaved/saved-by-others.tsx'
import { useTexts } from './texts.ts'
import { UseList } from './use-list.tsx'

/** What a page that only reads a path says it changed. */
const STALE = ['/segments', '/users', '/devices', '/instances']

/** The one conflict of making and changing segments that has no code. */
function isNameTaken(error: ApiError | null): boolean {
  return error?.status === 409 && error.code === undefined
}

function usePath() {
  const t = useTexts()
  const { workspace } = useSession()
  return [{ label: t('title'), to: `/w/${workspace.id}/segments` }]
}

export function NewSegmentPage() {
  const t = useTexts()
  const path = usePath()
  const [base] = useState(newSegment)
  const found = useFoundWork<typeof base>('segment/new')
  const [draft, setDraft] = useState(found?.value ?? base)
  const [isChecked, setChecked] = useState(false)
  const create = useWrite<SegmentBody, Segment>((body) => ({ path: '/segments', method: 'POST', body }), {
    stale: STALE,
    done: ({ name }) => t('created', { name }),
    showsError: true,
  })
  const isDirty = !isSame(draft, base)
  const { forget } = useKeepWork('segment/new', isDirty && !create.data ? draft : undefined)
  if (create.data) return <Navigate to={`../${create.data.id}`} relative="path" replace />
  const submit = () => {
    setChecked(true)
    if (hasName(draft) && hasWholeRules(draft)) create.mutate(toBody(draft))
  }
  const isTaken = isNameTaken(create.error)
  return (
    <Page
      title={t('newSegment')}
      path={path}
      actions={
        <Button onClick={submit} loading={create.isPending}>
          {t('create')}
        </Button>
      }
    >
      <FoundWork found={found} isDirty={isDirty} onDiscard={() => setDraft(base)} />
      {create.error && !isTaken && <Failure error={create.error} />}
      <SegmentForm
        draft={draft}
        onChange={(next) => {
          create.reset()
          setDraft(next)
        }}
        storedName={undefined}
        isChecked={isChecked}
        isNameTaken={isTaken}
      />
      <UnsavedGuard isDirty={isDirty} onLeave={forget} />
    </Page>
  )
}

export function SegmentPage() {
  const t = useTexts()
  const path = usePath()
  const { id = '' } = useParams()
  const { data, error, refetch, isPlaceholderData } = useSegment(id)
  if (error && (!data || isPlaceholderData))
    return (
      <Page title={t('title')} path={path}>
        <Failure error={error} title={t('openFailed')} onRetry={() => void refetch()} />
      </Page>
    )
  if (!data || isPlaceholderData)
    return (
      <Page title={t('title')} path={path}>
        <Skeleton height={420} />
      </Page>
    )
  return <OpenSegment key={data.id} segment={data} />
}

const TABS = ['rules', 'members', 'explain'] as const

function OpenSegment({ segment }: { segment: Segment }) {
  const t = useTexts()
  const format = useFormat()
  const path = usePath()
  const { mayEdit } = useSession()
  const [tab, setTab] = useUrlChoice('tab', TABS, 'rules')
  const editing = useEditing(segment)
  const { draft, setDraft, theirs } = editing
  return (
    <Page
      title={segment.name}
      path={path}
      subtitle={
        <Group gap="xs">
          <span>
            {segment.fewerThan !== undefined
              ? t('fewerThanFive')
              : `${format.number(segment.memberCount)} ${t('previewPeople', { count: segment.memberCount })}`}
          </span>
          <span aria-hidden>·</span>
          <Freshness segment={segment} />
        </Group>
      }
      actions={mayEdit && <Actions segment={segment} isBusy={editing.isBusy} isDirty={editing.isDirty} onSave={editing.submit} />}
    >
      <UnsavedGuard isDirty={editing.isDirty} onLeave={editing.forget} />
      <FoundWork found={editing.found} isDirty={editing.isDirty} onDiscard={editing.discard} />
      {theirs && (
        <SavedByOthers
          words={{ title: t('changedTitle'), text: t('changedText'), mine: t('saveMine'), theirs: t('loadTheirs') }}
          onMine={editing.overwrite}
          onTheirs={editing.takeTheirs}
        />
      )}
      {editing.error && !editing.isNameTaken && <Failure error={editing.error} />}
      {editing.leftName !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          {t('renamedAlone', { name: editing.leftName })}
        </Alert>
      )}
      <RenameSegment {...editing.renaming} />
      <Tabs value={tab} onChange={setTab} keepMounted>
        <Tabs.List>
          <Tabs.Tab value="rules">{t('tabRules')}</Tabs.Tab>
          <Tabs.Tab value="members">{t('tabMembers')}</Tabs.Tab>
          <Tabs.Tab value="explain">{t('tabExplain')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules" pt="md">
          {mayEdit ? (
            <SegmentForm
              draft={draft}
              onChange={setDraft}
              storedName={segment.name}
              isChecked={editing.isChecked}
              isNameTaken={editing.isNameTaken}
            >
              <Uses segment={segment} />
            </SegmentForm>
          ) : (
            <Stack maw={760}>
              <ReadOnly segment={segment} />
              <Uses segment={segment} />
            </Stack>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="members" pt="md">
          {tab === 'members' && <Members segmentId={segment.id} />}
        </Tabs.Panel>
        <Tabs.Panel value="explain" pt="md">
          {tab === 'explain' && <ExplainOne segmentId={segment.id} name={segment.name} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** The draft, and saving it without writing over what somebody else saved meanwhile. */
function useEditing(segment: Segment) {
  const t = useTexts()
  const { workspace } = useSession()
  const client = useQueryClient()
  const thing = `segment/${segment.id}`
  const found = useFoundWork<{ stored: Segment; draft: SegmentDraft }>(thing)
  const [stored, setStored] = useState(found?.value.stored ?? segment)
  const [draft, setDraft] = useState(() => found?.value.draft ?? draftOfSegment(segment))
  const [isChecked, setChecked] = useState(false)
  const [theirs, setTheirs] = useState<Segment>()
  /** The former name, after a rename that left content behind. */
  const [leftName, setLeftName] = useState<string>()
  const path = `/segments/${encodeURIComponent(segment.id)}`
  const isDirty = !isSame(draft, draftOfSegment(stored))
  const { forget } = useKeepWork(thing, isDirty ? { stored, draft } : undefined)
  const reset = (next: Segment) => {
    setStored(next)
    setDraft(draftOfSegment(next))
    setTheirs(undefined)
    setChecked(false)
  }
  /** On top of which version a name is to be changed that content names: asked about first. */
  const [asked, setAsked] = useState<Segment>()
  const save = useWrite<{ body: SegmentBody & { renameUses: boolean }; version: number }, Segment>(
    (sent) => ({ path, method: 'PUT', ...sent }),
    {
      stale: STALE,
      done: t('saved'),
      showsError: true,
    },
  )
  // Nothing typed here: what others save is simply shown. While a save is under way the newest version may be our own.
  if (!isDirty && !save.isPending && segment.version > stored.version) reset(segment)
  const newest = useMutation({ mutationFn: async () => (await call<Segment>(path, { workspaceId: workspace.id })).data })
  const isOvertaken = save.error?.code === 'VERSION_CHANGED'
  const submit = (base: Segment) => {
    setChecked(true)
    if (!hasName(draft) || !hasWholeRules(draft)) return
    if (draft.name !== base.name && base.usedBy.instanceCount > 0) setAsked(base)
    else send(base, true)
  }
  /** On top of `base`: refused when somebody saved after that one. */
  const send = (base: Segment, renameUses: boolean) => {
    save.mutate(
      { body: { ...toBody(draft), renameUses }, version: base.version },
      {
        onSuccess: (next) => {
          client.setQueryData([workspace.id, path, {}], next)
          setLeftName(renameUses || base.usedBy.instanceCount === 0 || next.name === base.name ? undefined : base.name)
          // What was typed while it was being saved stays.
          setStored(next)
          setDraft((typed) => (isSame(typed, draft) ? draftOfSegment(next) : typed))
          setTheirs(undefined)
          setChecked(false)
        },
        onSettled: () => setAsked(undefined),
        onError: ({ code }) => {
          if (code === 'VERSION_CHANGED') newest.mutate(undefined, { onSuccess: setTheirs })
        },
      },
    )
  }
  return {
    draft,
    setDraft,
    isDirty,
    found,
    forget,
    discard: () => reset(segment),
    isChecked,
    theirs,
    leftName,
    renaming: {
      segment: asked ?? stored,
      isOpen: asked !== undefined,
      isBusy: save.isPending,
      onClose: () => setAsked(undefined),
      onRename: (renameUses: boolean) => asked && send(asked, renameUses),
    },
    isNameTaken: isNameTaken(save.error),
    isBusy: save.isPending || newest.isPending,
    error: newest.error ?? (isOvertaken ? null : save.error),
    takeTheirs: () => theirs && reset(theirs),
    submit: () => submit(stored),
    overwrite: () => theirs && submit(theirs),
  }
}

type ActionProps = { segment: Segment; isBusy: boolean; isDirty: boolean; onSave: () => void }

function Actions({ segment, isBusy, isDirty, onSave }: ActionProps) {
  const t = useTexts()
  const [isDeleting, setDeleting] = useState(false)
  const refresh = useWrite<void, Segment>(() => ({ path: `/segments/${encodeURIComponent(segment.id)}/refresh`, method: 'POST' }), {
    stale: STALE,
    done: t('refreshed'),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={refresh.isPending}
        onClick={() => refresh.mutate()}
      >
        {t('refresh')}
      </Button>
      <Button onClick={onSave} loading={isBusy} disabled={!isDirty}>
        {t('save')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('options')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteSegment segment={segment} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}

function Uses({ segment }: { segment: Segment }) {
  const t = useTexts()
  return (
    <Paper withBorder p="md">
      <Text fw={600} size="sm" mb={4}>
        {t('usedBy')}
      </Text>
      <UseList usedBy={segment.usedBy} isWhole />
    </Paper>
  )
}

function ReadOnly({ segment }: { segment: Segment }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Paper withBorder p="md">
      <Stack>
        <RulesInWords logicalOperator={segment.logicalOperator} rules={segment.rules} />
        {segment.excludedSegments.length > 0 && <Text size="sm">{t('keptOut', { segments: format.list(segment.excludedSegments) })}</Text>}
        <Text size="sm" c="dimmed">
          {t('frequency')}: {t(`frequency_${segment.updateFrequency}`)}
        </Text>
      </Stack>
    </Paper>
  )
}
