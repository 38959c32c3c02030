import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconArrowBackUp, IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { useAutosave } from '../../ui/unsaved/use-autosave.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { ActivateDialog } from './activate-dialog.tsx'
import { pathOf, STALE, type Journey } from './api.ts'
import { isComplete, isStorable } from './draft/stored-draft.ts'
import { useEditor } from './editor-context.tsx'
import { MissingParts } from './panel/missing-parts.tsx'
import { useTexts } from './texts.ts'
import type { useEditing } from './use-editing.ts'

type Editing = ReturnType<typeof useEditing>

/** Whether it could run, and whether the server would store it as it is: drafts though something is missing. */
function useReadiness(status: Journey['status']) {
  const { draft, faults } = useEditor()
  const canRun = isComplete(faults)
  return { canRun, isSavable: canRun || (status === 'draft' && isStorable(draft, faults)) }
}

export function NewJourneyActions({ onSave, isBusy }: { onSave: () => void; isBusy: boolean }) {
  const t = useTexts()
  const { canRun, isSavable } = useReadiness('draft')
  return (
    <>
      {!isSavable && <FixFirst />}
      {!canRun && <MissingParts />}
      <Button onClick={onSave} loading={isBusy} disabled={!isSavable}>
        {t('saveDraft')}
      </Button>
    </>
  )
}

function FixFirst() {
  const t = useTexts()
  return (
    <Text size="xs" c="dimmed" maw={260} role="status">
      {t('fixFirst')}
    </Text>
  )
}

type PendingAction = 'activate' | 'pause' | 'toDraft' | 'remove'

export function JourneyActions({ editing }: { editing: Editing }) {
  const t = useTexts()
  const { canRun, isSavable } = useReadiness(editing.stored.status)
  const [asked, setAsked] = useState<PendingAction>()
  const { stored, isDirty, isBusy } = editing
  const { status } = stored
  // Text that is typed during a save is saved after it.
  const isAutosaved = status === 'draft' && isDirty && isSavable && !isBusy && !editing.theirs
  useAutosave(isAutosaved ? JSON.stringify(editing.draft) : undefined, stored.version, editing.saveItself)
  const close = () => setAsked(undefined)
  const change = (to: 'paused' | 'draft') => {
    close()
    editing.setStatus(to)
  }
  return (
    <>
      {!isSavable && <FixFirst />}
      {!canRun && status === 'draft' && <MissingParts />}
      {status === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          loading={isBusy}
          onClick={() => setAsked('pause')}
        >
          {t('pause')}
        </Button>
      ) : (
        <>
          <Button variant="default" onClick={editing.save} loading={isBusy} disabled={!isDirty || !isSavable}>
            {t('save')}
          </Button>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isBusy}
            disabled={!canRun}
            onClick={() => {
              editing.forgetLaunch()
              setAsked('activate')
            }}
          >
            {t(status === 'paused' ? 'resume' : 'activate')}
          </Button>
        </>
      )}
      {status !== 'active' && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('options')}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {status === 'paused' && (
              <Menu.Item
                leftSection={<IconArrowBackUp size={16} aria-hidden className="cf-mirrored" />}
                onClick={() => setAsked('toDraft')}
              >
                {t('toDraft')}
              </Menu.Item>
            )}
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('remove')}>
              {t('remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === 'activate' && <ActivateDialog editing={editing} onClose={close} />}
      <Confirm isOpen={asked === 'pause'} onClose={close} onConfirm={() => change('paused')} title={t('pauseTitle')} action={t('pause')}>
        {t('pauseText')}
      </Confirm>
      <Confirm
        isOpen={asked === 'toDraft'}
        onClose={close}
        onConfirm={() => change('draft')}
        title={t('toDraftTitle')}
        action={t('toDraft')}
      >
        {t('toDraftText')}
      </Confirm>
      <Remove journey={stored} isOpen={asked === 'remove'} onClose={close} />
    </>
  )
}

function Remove({ journey: { id, version }, isOpen, onClose }: { journey: Journey; isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const remove = useWrite<void>(() => ({ path: pathOf(id), method: 'DELETE', version }), { stale: STALE, done: t('removed') })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => void navigate(`/w/${workspace.id}/journeys`), onError: onClose })}
      title={t('removeTitle')}
      action={t('remove')}
      isDangerous
      isBusy={remove.isPending}
    >
      {t('removeText')}
    </Confirm>
  )
}
