import { Alert, Button, Group, Menu, ActionIcon, Paper, Stack, Tabs, Text } from '@mantine/core'
import { IconAlertTriangle, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import type { ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { EditNotices } from '../../ui/unsaved/edit-notices.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Page } from '../../ui/page.tsx'
import { FoundWork, useFoundWork, useKeepWork } from '../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../ui/unsaved/unsaved-guard.tsx'
import { useVersionedEdit, type KeptEdit } from '../../ui/unsaved/use-versioned-edit.ts'
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
import { useTexts } from './texts.ts'
import { UseList } from './use-list.tsx'

/** Paths whose data a change here makes stale. */
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
  return (
    <LoadedPage read={useSegment(id)} title={t('title')} path={path} failed={t('openFailed')}>
      {(segment) => <OpenSegment key={segment.id} segment={segment} />}
    </LoadedPage>
  )
}

const TABS = ['rules', 'members', 'explain'] as const

function OpenSegment({ segment }: { segment: Segment }) {
  const t = useTexts()
  const format = useFormat()
  const path = usePath()
  const { mayEdit } = useSession()
  const [tab, setTab] = useUrlChoice('tab', TABS, 'rules')
  const editing = useEditing(segment)
  const { draft, setDraft } = editing
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
      <EditNotices
        editing={editing}
        words={{ title: t('changedTitle'), text: t('changedText'), mine: t('saveMine'), theirs: t('loadTheirs') }}
      />
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

/** The draft, and saving it without overwriting what others saved meanwhile. */
function useEditing(segment: Segment) {
  const t = useTexts()
  const thing = `segment/${segment.id}`
  const found = useFoundWork<KeptEdit<Segment, SegmentDraft>>(thing)
  const [draft, setDraft] = useState(() => found?.value.draft ?? draftOfSegment(segment))
  const [isChecked, setChecked] = useState(false)
  /** The former name, after a rename that left content behind. */
  const [leftName, setLeftName] = useState<string>()
  /** The version under a rename of a segment that content uses, which is asked about first. */
  const [asked, setAsked] = useState<Segment>()
  const edit = useVersionedEdit<Segment, SegmentDraft, SegmentBody & { renameUses: boolean }>({
    thing,
    path: `/segments/${encodeURIComponent(segment.id)}`,
    read: segment,
    found,
    draft,
    setDraft: (next) => {
      setDraft(next)
      setChecked(false)
    },
    draftOf: draftOfSegment,
    isSame,
    stale: STALE,
    done: t('saved'),
  })
  const { stored, theirs, save, error } = edit
  const submit = (base: Segment) => {
    setChecked(true)
    if (!hasName(draft) || !hasWholeRules(draft)) return
    if (draft.name !== base.name && base.usedBy.instanceCount > 0) setAsked(base)
    else void send(base, true)
  }
  const send = async (base: Segment, renameUses: boolean) => {
    const next = await edit.saveOn(base, { ...toBody(draft), renameUses })
    setAsked(undefined)
    if (!next) return
    setLeftName(renameUses || base.usedBy.instanceCount === 0 || next.name === base.name ? undefined : base.name)
    setDraft((typed) => (isSame(typed, draft) ? draftOfSegment(next) : typed))
    setChecked(false)
  }
  return {
    ...edit,
    draft,
    setDraft,
    isChecked,
    leftName,
    renaming: {
      segment: asked ?? stored,
      isOpen: asked !== undefined,
      isBusy: save.isPending,
      onClose: () => setAsked(undefined),
      onRename: (renameUses: boolean) => asked && void send(asked, renameUses),
    },
    // A taken name is reported at its field.
    error: isNameTaken(save.error) ? null : error,
    isNameTaken: isNameTaken(save.error),
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
