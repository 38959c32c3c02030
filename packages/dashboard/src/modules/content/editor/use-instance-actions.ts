import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { ApiError } from '../../../api.ts'
import { useRead } from '../../../data.ts'
import { useRefusal } from '../../../refusals.ts'
import { contentOf, instancePath, type Environment, type Instance, type Revision } from './api.ts'
import { patchOf } from './changes/changes.ts'
import type { Faults } from './changes/faults.ts'
import type { PendingAction } from './head-actions.tsx'
import { usePublicationTexts } from './publication-texts.ts'
import { useInstanceWrites, type Save } from './save-instance.ts'
import { useTexts } from './texts.ts'
import type { Draft } from './use-draft.ts'

export type InstanceActions = ReturnType<typeof useInstanceActions>

type Needs = {
  instance: Instance
  draft: Draft
  faults: Faults
  /** Called when it is deleted or a copy is opened: unsaved changes are not asked about. */
  onGone: () => void
  /** Opens a path below the content pages. */
  open: (path: string) => void
}

/** The actions of buttons, keyboard and dialogs. */
export function useInstanceActions({ instance, draft, faults, onGone, open }: Needs) {
  const t = useTexts()
  const say = useRefusal()
  const writes = useInstanceWrites(instance)
  const stored = useRead<Instance>(instancePath(instance.blockKey, instance.id), {}, { when: false })
  const words = usePublicationTexts()
  const [asked, setAsked] = useState<PendingAction>()
  /** The earlier revision, when one is published. */
  const [revision, setRevision] = useState<Revision>()
  // A second click comes before the button knows that it is locked.
  const isFlying = useRef(false)
  const once = (start: (onSettled: () => void) => void) => {
    if (isFlying.current) return
    isFlying.current = true
    start(() => (isFlying.current = false))
  }
  const isDirty = draft.changes.length > 0
  const close = () => {
    setAsked(undefined)
    setRevision(undefined)
    writes.save.reset()
  }
  /** Another member saved first (412): the stored version is read; where there are edits here, both are shown. */
  const refused = async (error: ApiError) => {
    if (error.status === 412) {
      const { data } = await stored.refetch()
      setRevision(undefined)
      if (isDirty) return setAsked('conflict')
      close()
      notifications.show({ message: t('savedMeanwhile', { version: data?.version ?? '' }), color: 'orange', autoClose: 10_000 })
    } else if (asked === undefined) notifications.show({ message: say(error), color: 'red', autoClose: 10_000 })
  }
  const send = (done: string, publish?: Save['publish']) => {
    // An earlier revision is published as it was; what is in the form stays there.
    const isNamed = publish?.revision !== undefined
    const sent = draft.content
    once((onSettled) => {
      if (!isNamed) draft.hold()
      writes.save.mutate(
        {
          version: isNamed ? instance.version : draft.version,
          body: isNamed ? {} : patchOf(draft.base, sent),
          ...(publish && { publish }),
          words: { done, asked: words('submitted'), scheduled: words('scheduled') },
        },
        {
          onSuccess: ({ instance: saved }) => {
            if (!isNamed) draft.release(saved, sent)
            setAsked(undefined)
            setRevision(undefined)
          },
          onError: (error) => {
            if (!isNamed) draft.release()
            void refused(error)
          },
          onSettled,
        },
      )
    })
  }
  const save = () => {
    if (!isDirty) return
    if (draft.isBehind) return setAsked('conflict')
    if (faults.saving.length > 0) return setAsked('faults')
    send(instance.targets.length > 0 ? t('savedChanges') : t('savedDraft'))
  }
  return {
    asked,
    ask: (next: PendingAction) => setAsked(next),
    close,
    save,
    revision,
    askRevision: (next: Revision) => {
      setRevision(next)
      setAsked('publish_live')
    },
    publish: (target: Environment, at: string | undefined) =>
      send(t(`published_${target}`), { target, ...(revision && { revision: revision.number }), ...(at && { at }) }),
    unpublish: (target: Environment) =>
      once((onSettled) =>
        writes.unpublish.mutate(
          { target, done: t(`unpublished_${target}`), asked: words('submitted') },
          { onSuccess: close, onError: (error) => void refused(error), onSettled },
        ),
      ),
    rollBack: (number: number) =>
      once((onSettled) =>
        writes.rollBack.mutate(
          { version: instance.version, number, done: t('putBackDone', { number }), asked: words('submitted') },
          { onSuccess: ({ instance: saved }) => draft.rebase(saved), onError: (error) => void refused(error), onSettled },
        ),
      ),
    duplicate: () =>
      once((onSettled) =>
        writes.copy.mutate(copyOf(draft, t('copyOf', { name: draft.content.title || t('untitled') })), {
          onSuccess: ({ id }) => {
            flushSync(onGone)
            notifications.show({ message: t('duplicated'), color: 'teal' })
            open(`/${encodeURIComponent(instance.blockKey)}/${encodeURIComponent(id)}`)
          },
          onError: (error) => void refused(error),
          onSettled,
        }),
      ),
    remove: () =>
      once((onSettled) =>
        writes.remove.mutate(
          { done: t('deleted'), asked: words('submitted') },
          {
            onSuccess: ({ isAsked }) => {
              if (isAsked) return close()
              flushSync(onGone)
              open('')
            },
            onError: (error) => void refused(error),
            onSettled,
          },
        ),
      ),
    error: writes.save.error,
    isSaving: writes.save.isPending,
    isRollingBack: writes.rollBack.isPending,
    isDuplicating: writes.copy.isPending,
    isUnpublishing: writes.unpublish.isPending,
    isRemoving: writes.remove.isPending,
  }
}

/** The content of the form as the body of a new draft. */
function copyOf({ content }: Draft, title: string) {
  return { ...contentOf(content), title } as unknown as { [member: string]: Json }
}
