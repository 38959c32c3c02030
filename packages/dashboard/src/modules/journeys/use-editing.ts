import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PublishAsked } from '@contentflow/server/wire.ts'
import { call, type ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useFoundWork, useKeepWork } from '../../ui/unsaved/use-kept-work.tsx'
import { useSession } from '../../session.tsx'
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
    /** What was typed while it was being made. */
    work: isSame(history.draft, create.data) ? undefined : { stored: create.data, draft: history.draft },
  }
  const save = () => create.mutate({ ...history.draft, incomplete: true })
  return { ...history, create, made, isDirty, found, forget, discard: () => history.reset(start), save }
}

/** What is said when a journey is this now. */
const DONE = { active: 'activated', paused: 'paused', draft: 'drafted' } as const

/** The draft, and saving it without writing over what somebody else saved meanwhile. */
export function useEditing(journey: Journey) {
  const t = useTexts()
  const { workspace } = useSession()
  const client = useQueryClient()
  const thing = `journey/${journey.id}`
  const found = useFoundWork<{ stored: Journey; draft: JourneyDraft }>(thing)
  const [stored, setStored] = useState(found?.value.stored ?? journey)
  const [theirs, setTheirs] = useState<Journey>()
  const history = useHistory(draftOf(found?.value.draft ?? journey))
  const { draft } = history
  const path = pathOf(journey.id)
  const isDirty = !isSame(draft, stored)
  const { forget } = useKeepWork(thing, isDirty ? { stored, draft } : undefined)
  const reset = (next: Journey) => {
    setStored(next)
    history.reset(draftOf(next))
    setTheirs(undefined)
  }
  const newest = useMutation({ mutationFn: async () => (await call<Journey>(path, { workspaceId: workspace.id })).data })
  const save = useWrite<{ body: Sent; version: number }, Journey>((sent) => ({ path, method: 'PUT', ...sent }), {
    stale: STALE,
    done: t('saved'),
    showsError: true,
  })
  const status = useWrite<{ status: Journey['status']; otp?: string; version: number }, Journey | PublishAsked>(
    ({ version, ...body }) => ({ path: `${path}/status`, method: 'PATCH', body, version }),
    {
      stale: STALE,
      showsError: true,
      done: (data) => t('requestId' in data ? 'asked' : DONE[data.status]),
    },
  )
  const bodyOf = ({ status: now }: Journey): Sent => ({ ...draft, ...(now === 'draft' && { incomplete: true }) })
  const take = (next: Journey) => {
    client.setQueryData([workspace.id, path, {}], next)
    setStored(next)
    setTheirs(undefined)
  }
  const onError = ({ code }: { code: string | undefined }) => {
    if (code === 'VERSION_CHANGED') newest.mutate(undefined, { onSuccess: setTheirs })
  }
  /** On top of `base`: refused when somebody saved after that one. */
  const saveOn = async (base: Journey): Promise<Journey | undefined> => {
    status.reset()
    try {
      const next = await save.mutateAsync({ body: bodyOf(base), version: base.version }, { onError })
      take(next)
      return next
    } catch {
      // `save.error` says it.
      return undefined
    }
  }
  const autosave = useWrite<{ body: Sent; version: number }, Journey>(
    (sent) => ({ path, method: 'PUT', query: { autosave: true }, ...sent }),
    { stale: STALE, showsError: true },
  )
  /** Quietly; a conflict is asked about as with any other save. */
  const saveItself = (): boolean => {
    if (save.isPending || status.isPending || autosave.isPending) return false
    autosave.mutate({ body: bodyOf(stored), version: stored.version }, { onSuccess: take, onError })
    return true
  }
  /** What is not saved yet is saved first: what runs is what was seen. */
  const setStatus = async (to: Journey['status'], said: { otp?: string } = {}): Promise<'done' | 'needs code' | 'refused'> => {
    const base = isDirty && stored.status !== 'active' ? await saveOn(stored) : stored
    if (!base) return 'refused'
    try {
      const data = await status.mutateAsync({ status: to, ...said, version: base.version }, { onError })
      if (!('requestId' in data)) take(data)
      return 'done'
    } catch (error) {
      return error instanceof Error && isCodeWrong(error) ? 'needs code' : 'refused'
    }
  }
  const isBusy = save.isPending || autosave.isPending || status.isPending || newest.isPending
  // Nothing typed here: what others save is simply shown. While a save is under way the newest version may be our own, and what
  // is typed may be what was stored before it.
  if (!isDirty && !isBusy && journey.version > stored.version) reset(journey)
  const isSaidHere = (error: ApiError | null) => error && error.code !== 'VERSION_CHANGED' && !isCodeWrong(error)
  const error = newest.error ?? [save.error, autosave.error, status.error].find(isSaidHere) ?? null
  return {
    ...history,
    stored,
    isDirty,
    found,
    forget,
    discard: () => reset(journey),
    theirs,
    error,
    /** Of the last try to activate it: said where the code is asked for. */
    launchError: status.error,
    saveItself,
    isBusy,
    save: () => void saveOn(stored),
    setStatus: (to: 'paused' | 'draft') => void setStatus(to),
    activate: (otp: string) => setStatus('active', otp === '' ? {} : { otp }),
    forgetLaunch: status.reset,
    takeTheirs: () => theirs && reset(theirs),
    overwrite: () => theirs && void saveOn(theirs),
  }
}
