/** Changes of the state when another person, or nobody, uses the app. */
import { makeError } from './answer.ts'
import { restart, type Moment } from './lane.ts'
import { idsOf, isLeaving, type Item } from './queue.ts'
import { withChildren } from './read-wire.ts'
import { abortOf, endAll, NO_LINK, refuseAll, setLane, to, type LaneName, type State, type Step } from './state.ts'
import type { Block, Environment } from '../types.ts'

/** Content that everyone gets: what is aimed at a segment or sent to a person is left out, also inside collections. */
function forEveryone(blocks: readonly Block[]): readonly Block[] {
  return blocks
    .filter(({ segment, source }) => segment === undefined && source === undefined)
    .map((block) => withChildren(block, forEveryone))
}

/** Removes the person's data from the device, and with it the ETag that stood for it. */
export function hidePerson(state: State): State {
  const { content } = state
  return { ...state, content: content && { ...content, blocks: forEveryone(content.blocks), etag: undefined } }
}

/** Asks again, for blocks unless another read is named; the running answer would be about another person or view. */
export function resync(state: State, now: number, name: LaneName = 'sync'): Step {
  const lane = state.lanes[name]
  return to(setLane(state, name, restart(lane, now)), ...abortOf(lane))
}

/** The installation whose content is asked for. None while a person leaves: only content for everyone may come in. */
export function readingDevice({ deviceId, items, link }: State): string | undefined {
  return isLeaving(items, link.userId) ? undefined : deviceId
}

/** Another installation, of which the server knows nothing yet. */
export function newDevice({ settings }: State, id: string): Pick<State, 'deviceId' | 'deviceToken'> {
  return { deviceId: settings.deviceId ?? id, deviceToken: '' }
}

/** After an erasure nothing here points to the person: neither the device id nor the content that they were shown (C-ERASE-08). */
export function forgetPerson(state: State, id: string): State {
  return { ...hidePerson(state), ...newDevice(state, id), link: NO_LINK, channels: {}, over: [], shown: {} }
}

/**
 * A device belongs to one environment. When the key turns out to belong to another one than the stored state, that state is of
 * no use here; only writes that were queued in this session are meant for it.
 */
export function enterEnvironment(state: State, environment: Environment, { id }: Moment): Step {
  const error = makeError('SUPERSEDED')
  const isStale = ({ sessionId }: Item) => sessionId !== state.sessionId
  const { state: ended, effects } = endAll(forgetPerson(state, id), error)
  const items = state.items.filter((item) => !isStale(item))
  const entered = { ...ended, environment, content: undefined, texts: undefined, lastEventId: undefined, items }
  return to(entered, ...effects, ...refuseAll(idsOf(state.items.filter(isStale)), error))
}
