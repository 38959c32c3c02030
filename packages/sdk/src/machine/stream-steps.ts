/**
 * The stream of signals. While it is silent or away, polling finds what it would have told (C-STREAM-10).
 *
 *   closed ──wanted, and due──▶ opening ──something is heard──▶ open
 *   opening, open ──the connection ends, or is silent for 35 seconds──▶ closed, due after a wait that grows
 *   opening, open ──refused──▶ closed, due after a long wait
 *   opening, open ──not wanted any more──▶ closed, due at once
 */
import { GOOD_STREAM_MS, SILENCE_MS, SLOW_POLL_MS } from '../limits.ts'
import { judge, type Answer } from './answer.ts'
import { pollPeriod } from './content.ts'
import { fail, finish, RESTING, type Moment } from './lane.ts'
import { abortOf, request, setLane, to, wake, want, type State, type Step, type StepEvent } from './state.ts'

/** A stream is opened only where it is enabled and the page is visible: in a hidden page it would hold a connection for nothing. */
function isWanted({ settings, content, isVisible }: State): boolean {
  return settings.isStreamWanted && isVisible && content !== undefined && content.config.features['live_updates'] !== false
}

/** When the stream needs attention next. It waits for a running answer, which says after which signal it continues. */
export function streamMoment(state: State): number {
  const { lanes, stream } = state
  if (lanes.stream.request) return stream.heardAt + SILENCE_MS
  return isWanted(state) && !lanes.sync.request ? lanes.stream.dueAt : Infinity
}

/** Opens it when it is due, ends it when it is not wanted or has gone silent. */
export function driveStream(state: State, moment: Moment): Step {
  const { stream } = state.lanes
  const { now } = moment
  if (!stream.request && now >= streamMoment(state)) {
    const opening: State = { ...state, stream: { isOpen: false, openedAt: now, heardAt: now, retryMs: 0 } }
    return request(opening, 'stream', { method: 'GET', path: '/stream', lastEventId: state.lastEventId })
  }
  if (!stream.request || (isWanted(state) && now < streamMoment(state))) return to(state)
  return to(
    isWanted(state) ? closeAfterFailure(state, { status: 0 }, moment) : closeStream(setLane(state, 'stream', RESTING), moment),
    ...abortOf(stream),
  )
}

/**
 * C-STREAM-15: every signal, whatever its name, means: sync again. So does opening without a last id, because earlier changes
 * may have been missed.
 */
export function streamHeard(state: State, event: Extract<StepEvent, { type: 'heard' }>, { now }: Moment): Step {
  if (event.request !== state.lanes.stream.request) return to(state)
  const { isOpen, retryMs } = state.stream
  const isNews = event.signals > 0 || (!isOpen && state.lastEventId === undefined)
  const heard: State = {
    ...state,
    stream: { ...state.stream, isOpen: true, heardAt: now, retryMs: event.retryMs ?? retryMs },
    lastEventId: event.lastEventId ?? state.lastEventId,
  }
  return to(isNews ? want(heard, 'sync', now) : heard)
}

/** The stream ended. Where streams are refused, polling remains, and now and then another attempt. */
export function streamAnswered(state: State, answer: Answer, moment: Moment): Step {
  if (judge(answer) !== 'refused') return to(closeAfterFailure(state, answer, moment))
  return to(closeStream(setLane(state, 'stream', finish(state.lanes.stream, moment.now + SLOW_POLL_MS)), moment))
}

function closeAfterFailure(state: State, { retryAfterMs = 0 }: Answer, moment: Moment): State {
  const { isOpen, openedAt, retryMs } = state.stream
  const { stream } = state.lanes
  const isGood = isOpen && moment.now - openedAt >= GOOD_STREAM_MS
  const lane = fail(isGood ? { ...stream, attempt: 0 } : stream, moment, Math.max(retryAfterMs, retryMs))
  return closeStream(setLane(state, 'stream', lane), moment)
}

/** Back to the usual pace, unless polling fails as well. */
function closeStream(state: State, { now, random }: Moment): State {
  const ended: State = { ...state, stream: { ...state.stream, isOpen: false } }
  return wake(ended, 'sync', now + pollPeriod(ended, random))
}
