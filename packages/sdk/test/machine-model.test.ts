/**
 * The machine against a model of the server, over any history: answers come late, out of order, twice or never, while
 * content changes, people come and go, and the application tracks and asks. Whatever happened, nothing of another
 * person is shown, content never goes back, and in the end everything is as on the server and every event is there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Answer, Call, JsonObject } from '../src/machine/answer.ts'
import { isLeaving, queuedConsent, queuedUser } from '../src/machine/queue.ts'
import { nextWake } from '../src/machine/due.ts'
import type { Effect, LaneName } from '../src/machine/state.ts'
import { block, failedWith, machine, ok, write } from './support/states.ts'

type UnderWay = { lane: LaneName; request: number; answer: Answer }

/** What the documents say a server does, as far as these histories go. */
function modelServer() {
  let version = 1
  let user: string | undefined
  let consent: 'granted' | 'denied' | 'unknown' = 'unknown'
  const stored = new Set<string>()
  const sync = (call: Call): Answer => {
    const locale = /locale=(\w+)/.exec(call.path)?.[1] ?? ''
    const known = call.deviceId !== undefined && consent === 'granted' && user !== undefined
    const etag = `"${version} ${locale} ${known ? user : ''}"`
    if (call.etag === etag) return { status: 304, environment: 'live' }
    const all = [block('all', { version, values: { '#locale': locale } })]
    const config = { features: {}, pollIntervalSeconds: 30 }
    return ok(
      { blocks: known ? [...all, block(`of-${user}`, { version, segment: user, values: { '#locale': locale } })] : all, config },
      { etag },
    )
  }
  const events = (body: JsonObject): Answer => {
    const sent = body['events'] as { eventId: string }[]
    if (consent !== 'granted') return ok({ accepted: 0, dropped: sent.length, dropReasons: { consent_not_granted: sent.length } })
    for (const { eventId } of sent) stored.add(eventId)
    return ok({ accepted: sent.length, dropped: 0, dropReasons: {} })
  }
  const identify = (body: JsonObject): Answer => {
    consent = body['consent'] === true ? 'granted' : 'denied'
    user = consent === 'granted' ? ((body['userId'] as string | undefined) ?? user) : undefined
    return ok({
      consent: consent === 'granted',
      results: { identity: { status: user ? 'identified' : 'anonymous', userId: user ?? null } },
    })
  }
  return {
    publish: () => void version++,
    stored,
    get version() {
      return version
    },
    get user() {
      return user
    },
    get consent() {
      return consent
    },
    take: (call: Call): Answer => {
      const { method, path, body = {} } = call
      if (path.startsWith('/sync')) return sync(call)
      if (path.startsWith('/strings')) return ok({ locale: 'en', strings: {}, version: String(version) })
      if (path === '/stream') return { status: 0 }
      if (path === '/events') return events(body)
      if (path === '/logout') {
        user = undefined
        return ok({ loggedOut: true })
      }
      assert.equal(path, '/identify')
      if (method === 'POST') return identify(body)
      user = undefined
      consent = 'unknown'
      return ok({ localWipeSafe: true, erased: [] })
    },
  }
}

const actions = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('answer' as const), which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lose' as const, 'repeat' as const, 'fail' as const), which: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      which: fc.oneof(fc.integer({ min: 1, max: 60_000 }), fc.constant(46_800_000)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('publish' as const, 'track' as const, 'signal' as const), which: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('identify' as const, 'locale' as const, 'online' as const), which: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('logout' as const, 'deny' as const, 'erase' as const, 'restart' as const),
      which: fc.nat(2),
    }),
  },
)

function run(history: readonly { do: string; which: number }[]): void {
  const server = modelServer()
  const at = machine()
  const underWay: UnderWay[] = []
  const done: UnderWay[] = []
  let seenVersion = 0
  let writes = 0
  /** Ids of events that must be stored in the end: tracked with consent given and sent before it was taken back. */
  const owed = new Set<string>()

  const look = (effects: readonly Effect[]) => {
    for (const effect of effects) {
      if (effect.type === 'request') underWay.push({ lane: effect.lane, request: effect.request, answer: server.take(effect.call) })
    }
    const { state } = at
    for (const lane of ['sync', 'strings', 'outbox'] as const)
      assert.ok(
        state.lanes[lane].request === 0 || underWay.some(({ request }) => request === state.lanes[lane].request),
        'nothing is forgotten',
      )
    assert.ok(state.items.length <= 500)
    assert.ok(nextWake(state) > at.now, 'what is due has been started')
    const blocks = state.content?.blocks ?? []
    const personal = blocks.filter(({ segment }) => segment !== undefined)
    const isAllowed = !isLeaving(state.items, state.link.userId) && queuedConsent(state.items, state.link.consent) === 'granted'
    if (!isAllowed) assert.deepEqual(personal, [])
    for (const { segment } of personal) assert.equal(segment, queuedUser(state.items, state.link.userId))
    const version = Math.max(0, ...blocks.map((each) => each.version))
    if (blocks.length > 0) {
      assert.ok(version >= seenVersion, `version ${version} after ${seenVersion}`)
      seenVersion = version
    }
    assert.ok(state.content === undefined || blocks.some(({ instanceId }) => instanceId === 'all'), 'content for everyone never vanishes')
  }
  const send = (...event: Parameters<typeof at.send>) => look(at.send(...event).effects)
  const hand = ({ lane, request, answer }: UnderWay) => send({ type: 'answered', lane, request, answer }, 0.5)
  const takeOut = (which: number) => underWay.splice(which % Math.max(underWay.length, 1), 1)[0]

  look(at.run().effects)
  for (const action of history) {
    const { which } = action
    const id = `w${++writes}`
    if (action.do === 'answer') {
      const next = takeOut(which)
      if (next) {
        done.push(next)
        hand(next)
      }
    } else if (action.do === 'lose' || action.do === 'fail') {
      const lost = takeOut(which)
      if (lost) hand({ ...lost, answer: action.do === 'lose' ? { status: 0 } : failedWith(503) })
    } else if (action.do === 'repeat') {
      const again = done[which % Math.max(done.length, 1)]
      if (again) hand(again)
    } else if (action.do === 'pass') look(at.pass(which).effects)
    else if (action.do === 'publish') server.publish()
    else if (action.do === 'signal') send({ type: 'heard', request: at.state.lanes.stream.request || -1, signals: 1 })
    else if (action.do === 'online') send({ type: 'online' })
    else if (action.do === 'locale') send({ type: 'note', patch: { locale: ['en', 'ar', 'fr'][which] } })
    else if (action.do === 'track') {
      send(write(id, 'event', { type: 'x' }))
      const { items, link } = at.state
      if (link.consent === 'granted' && queuedConsent(items, link.consent) === 'granted' && items.some((item) => item.id === id))
        owed.add(id)
    } else if (action.do === 'identify') send(write(id, 'identify', { consent: true, userId: ['anna', 'badr', 'carl'][which] }))
    else if (action.do === 'logout') send(write(id, 'logout'))
    else if (action.do === 'restart') {
      send({ type: 'stop' })
      send({ type: 'start' })
    } else {
      send(action.do === 'deny' ? write(id, 'identify', { consent: false }) : write(id, 'erase'))
      owed.clear()
    }
  }

  // The network heals: everything is answered, in order, for long enough.
  for (let i = 0; i < 60; i++) {
    for (let next = underWay.shift(); next; next = underWay.shift()) hand(next)
    look(at.pass(20_000).effects)
  }
  const { state } = at
  assert.deepEqual(
    state.items.filter(({ kind }) => kind !== 'event'),
    [],
  )
  assert.deepEqual([state.link.userId, state.link.consent], [server.user, server.consent])
  assert.deepEqual(
    state.content?.blocks.map(({ instanceId, version, values }) => [instanceId, version, values['#locale']]),
    ['all', ...(server.user === undefined ? [] : [`of-${server.user}`])].map((id) => [id, server.version, state.locale ?? '']),
  )
  for (const id of owed) assert.ok(server.stored.has(id), `event ${id} was lost`)
}

test('C-SYNC-09 C-IDN-17 C-DEV-09 whatever happens to answers, nothing of another person is shown, content never goes back, and the end is as on the server', () => {
  fc.assert(fc.property(fc.array(actions, { maxLength: 60 }), run), { numRuns: 1_500 })
})
