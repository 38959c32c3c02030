/**
 * The machine: one function from a state and an event to the next state and what is to be done. It reads no clock and
 * no chance; both come in with the event.
 *
 *   stopped ──start──▶ starting ──loaded──▶ running ──key rejected──▶ rejected
 *      ▲────────────stop──────┴───────────────╯                      (for good)
 */
import { judge, makeError } from './answer.ts'
import { contentAnswered } from './content.ts'
import { startDue } from './due.ts'
import type { Moment } from './lane.ts'
import { adopt, loaded, rejectKey, start, stop } from './lifecycle.ts'
import { enqueue, outboxAnswered } from './outbox.ts'
import { enterEnvironment, resync } from './person.ts'
import { andThen, refuseAll, to, want, type LaneName, type Phase, type State, type Step, type StepEvent } from './state.ts'
import { streamAnswered, streamHeard } from './stream-steps.ts'

type Handler<Type extends StepEvent['type']> = (state: State, event: Extract<StepEvent, { type: Type }>, moment: Moment) => Step
type Row = { [Type in StepEvent['type']]: Handler<Type> }

/** Changes nothing. */
const ignore = (state: State) => to(state)
/** Transitions of every phase that does not override them. */
const ALWAYS: Row = {
  start: ignore,
  stop: ignore,
  loaded: ignore,
  enqueue,
  ask: refuseToAsk,
  note,
  online: ignore,
  tick: ignore,
  heard: ignore,
  answered: ignore,
  keyRejected: rejectKey,
}

/** Every phase × event has a cell. */
export const TRANSITIONS: Record<Phase, Row> = {
  stopped: { ...ALWAYS, start },
  starting: { ...ALWAYS, stop, loaded, ask: askLane },
  running: { ...ALWAYS, stop, loaded: adopt, ask: askLane, online, heard: streamHeard, answered },
  rejected: { ...ALWAYS, enqueue: refuseWrite, keyRejected: ignore },
}

/** One step: the changes of the event, and then the requests that are due. */
export function step(state: State, event: StepEvent, moment: Moment): Step {
  // The row has a handler for exactly this type; the compiler cannot see that the two go together.
  const handle = TRANSITIONS[state.phase][event.type] as Handler<StepEvent['type']>
  const handled = handle(state, event, moment)
  const started = startDue(handled.state, moment)
  return to(started.state, ...handled.effects, ...started.effects)
}

/** A late answer, or one about another person, carries another number and is dropped. The first answer of another environment counts only for that change. */
function answered(state: State, event: Extract<StepEvent, { type: 'answered' }>, moment: Moment): Step {
  const { lane, request, answer } = event
  const { environment = state.environment } = answer
  if (request !== state.lanes[lane].request) return to(state)
  if (state.environment !== undefined && environment !== undefined && environment !== state.environment)
    return enterEnvironment(state, environment, moment)
  const known = { ...state, environment }
  if (judge(answer) === 'rejected') return rejectKey(known, event)
  if (lane === 'outbox') return outboxAnswered(known, answer, moment)
  return lane === 'stream' ? streamAnswered(known, answer, moment) : contentAnswered(known, lane, answer, moment)
}

/** Before the time that the server named, a request would only be refused again, so the caller is told at once. */
function askLane(state: State, { lane: name, waiters = [] }: Extract<StepEvent, { type: 'ask' }>, { now }: Moment): Step {
  const wait = state.lanes[name].notBefore - now
  if (wait <= 0) return to(want(state, name, now, waiters))
  return to(state, ...refuseAll(waiters, makeError('RETRY_LATER', undefined, 0, Math.ceil(wait / 1000))))
}

function refuseToAsk(state: State, { waiters = [] }: Extract<StepEvent, { type: 'ask' }>): Step {
  return to(state, ...refuseAll(waiters, state.rejection ?? makeError('STOPPED')))
}

function refuseWrite(state: State, { item }: Extract<StepEvent, { type: 'enqueue' }>): Step {
  return to(state, ...(state.rejection && item.kind !== 'event' ? refuseAll([item.id], state.rejection) : []))
}

/** Another language needs another answer; a running answer in the old one no longer counts. */
function note(state: State, { patch }: Extract<StepEvent, { type: 'note' }>, { now }: Moment): Step {
  const noted = { ...state, ...patch }
  if (noted.locale === state.locale) return to(noted)
  return andThen(resync(noted, now), (next) => resync(next, now, 'strings'))
}

/** The network is back: what failed need not wait longer than the server wishes. */
function online(state: State, _event: unknown, { now }: Moment): Step {
  const names = (Object.keys(state.lanes) as LaneName[]).filter((name) => state.lanes[name].attempt && !state.lanes[name].request)
  return to(names.reduce((next, name) => want(next, name, now), state))
}
