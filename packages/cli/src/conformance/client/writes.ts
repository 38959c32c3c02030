/** What a client says of people, and that nothing of it is lost, sent twice, or sent without consent. */
import { must, mustBe } from '../check.ts'
import { block, type Bench, type ClientCheck } from './bench.ts'
import { synced, type Received } from './scripted.ts'

const events = (requests: readonly Received[]): { type: string; eventId?: string }[] => requests.flatMap(({ body }) => body?.events ?? [])

/** Open, and somebody has agreed. */
async function agree({ open, tell, until, server }: Bench): Promise<void> {
  await open()
  await tell('identify', { consent: true, userId: 'sara' })
  await until('identify', () => server.to('POST /identify').length > 0)
}

async function track({ tell }: Bench, ...types: string[]): Promise<void> {
  for (const type of types) await tell('track', { type })
  await tell('flush')
}

const deviceOf = (asked: Received | undefined): unknown => asked?.body?.deviceId ?? asked?.headers['x-cf-device']

export const CLIENT_WRITE_CHECKS: readonly ClientCheck[] = [
  {
    name: 'identify names the device and the choice about analytics',
    run: async (bench) => {
      await agree(bench)
      const [asked] = bench.server.to('POST /identify')
      mustBe(asked?.body?.consent, true, 'consent')
      mustBe(asked?.body?.userId, 'sara', 'userId')
      must(typeof asked?.body?.deviceId === 'string', 'deviceId is missing')
    },
  },
  {
    name: 'with a denial nothing about the person is sent',
    run: async (bench) => {
      await bench.open()
      await bench.tell('identify', { consent: false, userId: 'sara', traits: { plan: 'gold' } })
      await bench.until('identify', () => bench.server.to('POST /identify').length > 0)
      const [asked] = bench.server.to('POST /identify')
      mustBe(asked?.body?.consent, false, 'consent')
      must(!JSON.stringify(asked?.body).match(/sara|gold/), 'the user or a trait is sent')
    },
  },
  {
    name: 'events of somebody who denied are not sent',
    run: async (bench) => {
      await bench.open()
      await bench.tell('identify', { consent: false })
      await track(bench, 'video_play')
      await bench.tell('identify', { consent: true })
      await track(bench, 'after_consent')
      await bench.until('the later event', () => events(bench.server.to('POST /events')).length > 0)
      mustBe(
        events(bench.server.to('POST /events'))
          .map(({ type }) => type)
          .join(),
        'after_consent',
        'what is sent',
      )
    },
  },
  {
    name: 'every event has an id of its own, and at most 100 go together',
    run: async (bench) => {
      await agree(bench)
      await track(bench, ...Array.from({ length: 150 }, (_, index) => `event_${index}`))
      await bench.until('all events', () => events(bench.server.to('POST /events')).length >= 150)
      const requests = bench.server.to('POST /events')
      for (const { body } of requests) must(body.events.length <= 100, `${body.events.length} events in one request`)
      mustBe(new Set(events(requests).map(({ eventId }) => eventId ?? '')).size, 150, 'the number of ids')
    },
  },
  {
    name: 'events whose answer was lost are sent again, with the same ids',
    run: async (bench) => {
      await agree(bench)
      bench.server.on('POST /events', () => 'lost')
      await track(bench, 'lost_once')
      await bench.until('the first attempt', () => bench.server.to('POST /events').length > 0)
      bench.server.on('POST /events', ({ body }) => ({ status: 202, data: { accepted: body.events.length, dropped: 0, dropReasons: {} } }))
      await bench.until('the second attempt', () => bench.server.to('POST /events').length > 1)
      const [first, ...others] = bench.server.to('POST /events')
      const ids = (asked: Received | undefined) => events(asked ? [asked] : []).map(({ eventId }) => eventId)
      mustBe(JSON.stringify(ids(others.at(-1))), JSON.stringify(ids(first)), 'the ids of the second attempt')
    },
  },
  {
    name: 'nothing is repeated before Retry-After',
    run: async (bench) => {
      await agree(bench)
      let isFirst = true
      bench.server.on('POST /events', () => {
        const answer = { status: 429, refusal: { code: 'IP_RATE_LIMITED', error: 'too many requests' }, headers: { 'retry-after': '2' } }
        const taken = { status: 202, data: { accepted: 1, dropped: 0, dropReasons: {} } }
        return isFirst ? ((isFirst = false), answer) : taken
      })
      await track(bench, 'limited')
      await bench.until('the second attempt', () => bench.server.to('POST /events').length > 1)
      const [first, second] = bench.server.to('POST /events')
      const waited = (second?.at ?? 0) - (first?.at ?? 0)
      must(waited >= 1_950, `it was repeated after ${Math.round(waited)} ms`)
    },
  },
  {
    name: 'a refusal that is final is not repeated, and does not hold up what follows',
    run: async (bench) => {
      await agree(bench)
      bench.server.on('POST /events', ({ body }) =>
        body.events.some(({ type }: { type: string }) => type === 'refused')
          ? { status: 400, refusal: { error: 'bad event' } }
          : { status: 202, data: { accepted: body.events.length, dropped: 0, dropReasons: {} } },
      )
      await track(bench, 'refused')
      await bench.until('the refused request', () => bench.server.to('POST /events').length > 0)
      await track(bench, 'fine')
      const isFine = ({ body }: Received) => body.events.length === 1 && body.events[0].type === 'fine'
      await bench.until('the event behind it', () => bench.server.to('POST /events').some(isFine))
    },
  },
  {
    name: 'what is aimed at a person is gone at once when they sign out',
    run: async (bench) => {
      bench.server.on('GET /sync', ({ headers }) => ({
        data: synced(headers['x-cf-device'] === undefined ? [block('all')] : [block('theirs', { segment: 'gold' }), block('all')]),
      }))
      await agree(bench)
      await bench.tell('sync')
      await bench.until('both blocks', async () => (await bench.shown()).join() === 'theirs,all')
      bench.server.on('POST /logout', () => 'lost')
      bench.server.on('GET /sync', () => 'lost')
      await bench.tell('logout')
      mustBe((await bench.shown()).join(), 'all', 'what is shown')
    },
  },
  {
    name: 'nothing is wiped before the server says that it is safe, and then a new device begins',
    run: async (bench) => {
      bench.server.on('DELETE /identify', () => ({ status: 207, data: { localWipeSafe: false } }))
      await agree(bench)
      const before = deviceOf(bench.server.to('POST /identify')[0])
      await bench.tell('erase')
      await bench.until('the request', () => bench.server.to('DELETE /identify').length > 0)
      mustBe(deviceOf(bench.server.to('DELETE /identify')[0]), before, 'the device of the erasure')
      bench.server.on('DELETE /identify', () => ({ data: { localWipeSafe: true } }))
      await bench.until('another attempt', () => bench.server.to('DELETE /identify').length > 1)
      mustBe(deviceOf(bench.server.to('DELETE /identify').at(-1)), before, 'the device of the second attempt')
      await bench.tell('identify', { consent: true, userId: 'adam' })
      await bench.until('the next person', () => bench.server.to('POST /identify').length > 1)
      must(deviceOf(bench.server.to('POST /identify').at(-1)) !== before, 'the device of before the erasure is used again')
    },
  },
]
