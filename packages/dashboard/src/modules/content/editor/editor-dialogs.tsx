import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ConflictDialog } from './changes/conflict-dialog.tsx'
import { useEditor } from './editor-context.tsx'
import { FaultList } from './changes/fault-list.tsx'
import { PublishDialog } from './changes/publish-dialog.tsx'
import { useTexts } from './texts.ts'
import type { Draft } from './use-draft.ts'
import type { InstanceActions } from './use-instance-actions.ts'

/** The one dialog that is asked for. */
export function EditorDialogs({ actions, draft }: { actions: InstanceActions; draft: Draft }) {
  const t = useTexts()
  const { faults, instance } = useEditor()
  const { asked, close } = actions
  switch (asked) {
    case 'publish_live':
    case 'publish_test': {
      const target = asked === 'publish_live' ? 'live' : 'test'
      const error = actions.error?.status === 412 ? null : actions.error
      return (
        <PublishDialog
          target={target}
          draft={draft}
          revision={actions.revision}
          onClose={close}
          onConfirm={(at) => actions.publish(target, at)}
          isBusy={actions.isSaving}
          error={error}
        />
      )
    }
    case 'unpublish_live':
    case 'unpublish_test': {
      const target = asked === 'unpublish_live' ? 'live' : 'test'
      return (
        <Confirm
          isOpen
          onClose={close}
          onConfirm={() => actions.unpublish(target)}
          title={t(`unpublishTitle_${target}`)}
          action={t('unpublish')}
          isBusy={actions.isUnpublishing}
        >
          {t(`unpublishText_${target}`)}
        </Confirm>
      )
    }
    case 'delete':
      return (
        <Confirm
          isOpen
          onClose={close}
          onConfirm={actions.remove}
          title={t('deleteTitle')}
          action={t('delete')}
          isDangerous
          isBusy={actions.isRemoving}
        >
          {instance.targets.length > 0 ? t('deleteLive') : t('deleteDraft')}
        </Confirm>
      )
    case 'conflict':
      return <ConflictDialog draft={draft} onClose={close} />
    case 'faults':
      return (
        <Dialog opened onClose={close} title={t('cannotSave')}>
          <FaultList faults={faults.saving} />
        </Dialog>
      )
    default:
      return null
  }
}
