import { useState } from 'react'
import type { PublishAsked } from '@contentflow/server/wire.ts'
import { useWrite } from '../../data.ts'
import { useFoundWork, useKeepWork } from '../../ui/unsaved/use-kept-work.tsx'
import { useVersionedEdit, type KeptEdit } from '../../ui/unsaved/use-versioned-edit.ts'
import { isCodeWrong } from '../../ui/launch/launch-gate.tsx'
import { JOURNEYS, pathOf, STALE, type Journey } from './api.ts'
import type { JourneyDraft } from './draft/faults.ts'
import { change, redo, startHistory, undo } from './draft/history.ts'
import { draftOf, isSame } from './draft/stored-draft.ts'
import { useTexts } from './texts.ts'

/** A draft is stored though something is missing in it. */
type Sent = JourneyDraft & { incomplete?: boolean }

export type Edit = (draft: JourneyDraft, mark?: string) => void

/** A draft with what was before it. */
function useHistory(start: JourneyDraft) {
  const [history, setHistory] = useState(() => startHistory(start))
  const edit: Edit = (next, mark) => setHistory((before) => change(before, next, mark))
  return {
    draft: history.now,
    edit,
    reset: (draft: JourneyDraft) => setHistory(startHistory(draft)),
    undo: history.before.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.after.length > 0 ? () => setHistory(redo) : undefined,
  }
}

/** A journey that is not stored yet. */
export function useNewJourney(start: JourneyDraft, template: string) {
  const t = useTexts()
  const thing = `journey/new/${template}`
  const found = useFoundWork<JourneyDraft>(thing)
  const history = useHistory(found ? draftOf(found.value) : start)
  const create = useWrite<Sent, Journey>((body) => ({ path: JOURNEYS, method: 'POST', body }), {
    stale: STALE,
    done: t('created'),
    showsError: true,
  })
  const isDirty = !isSame(history.draft, start)
  const { forget } = useKeepWork(thing, isDirty && !create.data ? history.draft : undefined)
  const made = create.data && {
    id: create.data.id,
    /** Changes made while the journey was being created. */
    work: isSame(history.draft, create.data) ? undefined : { stored: create.data, draft: history.draft },
  }
  const save = () => create.mutate({ ...history.draft, incomplete: true })
  return { ...history, create, made, isDirty, found, forget, discard: () => history.reset(start), save }
}

/** The notification for each new status. */
const DONE = { active: 'activated', paused: 'paused', draft: 'drafted' } as const

/** The draft, and saving it without overwriting what others saved meanwhile. */
export function useEditing(journey: Journey) {
  const t = useTexts()
  const thing = `journey/${journey.id}`
  const found = useFoundWork<KeptEdit<Journey, JourneyDraft>>(thing)
  const history = useHistory(draftOf(found?.value.draft ?? journey))
  const { draft } = history
  const path = pathOf(journey.id)
  const status = useWrite<{ status: Journey['status']; otp?: string; version: number }, Journey | PublishAsked>(
    ({ version, ...body }) => ({ path: `${path}/status`, method: 'PATCH', body, version }),
    {
      stale: STALE,
      showsError: true,
      done: (data) => t('requestId' in data ? 'asked' : DONE[data.status]),
    },
  )
  const autosave = useWrite<{ body: Sent; version: number }, Journey>(
    (sent) => ({ path, method: 'PUT', query: { autosave: true }, ...sent }),
    { stale: STALE, showsError: true },
  )
  const edit = useVersionedEdit<Journey, JourneyDraft, Sent>({
    thing,
    path,
    read: journey,
    found,
    draft,
    setDraft: history.reset,
    draftOf,
    isSame,
    stale: STALE,
    done: t('saved'),
    writes: [autosave, status],
  })
  const { stored, theirs, isDirty, error } = edit
  const bodyOf = ({ status: now }: Journey): Sent => ({ ...draft, ...(now === 'draft' && { incomplete: true }) })
  const saveOn = (base: Journey) => {
    status.reset()
    return edit.saveOn(base, bodyOf(base))
  }
  /** Quietly; a conflict is asked about as with any other save. */
  const saveItself = (): boolean => {
    if (edit.save.isPending || status.isPending || autosave.isPending) return false
    autosave.mutate({ body: bodyOf(stored), version: stored.version }, { onSuccess: edit.take, onError: edit.meet })
    return true
  }
  /** Saves unsaved changes first, so that the journey runs as it was seen. */
  const setStatus = async (to: Journey['status'], said: { otp?: string } = {}): Promise<'done' | 'needs code' | 'refused'> => {
    const base = isDirty && stored.status !== 'active' ? await saveOn(stored) : stored
    if (!base) return 'refused'
    try {
      const data = await status.mutateAsync({ status: to, ...said, version: base.version }, { onError: edit.meet })
      if (!('requestId' in data)) edit.take(data)
      return 'done'
    } catch (refusal) {
      return refusal instanceof Error && isCodeWrong(refusal) ? 'needs code' : 'refused'
    }
  }
  return {
    ...history,
    ...edit,
    // A wrong code is reported at its field.
    error: error && isCodeWrong(error) ? null : error,
    /** The error of the last attempt to activate it. */
    launchError: status.error,
    saveItself,
    save: () => void saveOn(stored),
    setStatus: (to: 'paused' | 'draft') => void setStatus(to),
    activate: (otp: string) => setStatus('active', otp === '' ? {} : { otp }),
    forgetLaunch: status.reset,
    overwrite: () => theirs && void saveOn(theirs),
  }
}
