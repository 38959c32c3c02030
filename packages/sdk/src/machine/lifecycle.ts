/** Starting, stopping, and the end of a key. */
import { errorOf, makeError, type Answer } from './answer.ts'
import { withBootstrap } from './content.ts'
import type { Moment } from './lane.ts'
import { writesOf } from './outbox.ts'
import { hidePerson, resync } from './person.ts'
import { isLeaving, QUEUE_LIMIT } from './queue.ts'
import { emit, endAll, refuseAll, settleAll, to, type State, type Step, type StepEvent } from './state.ts'

type Loaded = Extract<StepEvent, { type: 'loaded' }>

/** Storage is read at the first start only: after that, what is known here is newer. */
export function start(state: State, _event: unknown, { now, id }: Moment): Step {
  const items = state.items.map((item) => (item.sessionId === '' ? { ...item, sessionId: id } : item))
  const started = { ...state, items, startedAt: now, sessionId: id }
  return state.deviceId === undefined ? to({ ...started, phase: 'starting' }, { type: 'load' }) : to({ ...started, phase: 'running' })
}

/** Writes that were queued before storage was read come after the stored ones; what the page came with stays in front of what is stored. */
export function loaded(state: State, { stored }: Loaded, { id }: Moment): Step {
  const deviceId = state.settings.deviceId ?? stored.deviceId ?? id
  const items = [...(stored.items ?? []), ...state.items].slice(-QUEUE_LIMIT)
  const next: State = { ...state, ...stored, phase: 'running', deviceId, items }
  // While a person leaves, nothing that is aimed at them may come in, whatever the page came with.
  return to(isLeaving(items, next.link.userId) ? hidePerson(next) : withBootstrap(next))
}

/** Takes over what another tab stored: the person left there, or came. Nothing of another person stays here or comes back. */
export function adopt(state: State, { stored }: Loaded, { now }: Moment): Step {
  const { deviceId, link = state.link } = stored
  const isSame = deviceId === state.deviceId && link.userId === state.link.userId && link.consent === state.link.consent
  const adopted = { ...state, ...stored }
  return isSame ? to(adopted) : resync(hidePerson(adopted), now)
}

/** Unsent writes stay queued; callers that wait for them learn that they are pending. */
export function stop(state: State): Step {
  const { state: ended, effects } = endAll(state, makeError('STOPPED'))
  const stopped: State = { ...ended, phase: 'stopped', isOffline: false, isAnswered: false }
  return to(stopped, ...effects, ...settleAll(writesOf(state.items), { status: 'pending' }))
}

/** C-AUTH-41: final for this key. Current content stays, and queued writes stay in storage for a valid key. */
export function rejectKey(state: State, { answer }: { answer: Answer }): Step {
  const error = errorOf(answer)
  const { state: ended, effects } = endAll(state, error)
  return to(
    { ...ended, phase: 'rejected', rejection: error },
    ...effects,
    ...refuseAll(writesOf(state.items), error),
    emit('rejected', error),
  )
}
