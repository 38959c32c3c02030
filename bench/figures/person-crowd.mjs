/**
 * A crowd of writes about one person, as anybody who has an app key can send, and what another workspace notices of it: each of
 * its writes against the same writes without the crowd, in the same round.
 */
import assert from 'node:assert/strict'
import { LOAD_CORE, ask, startProgram, stop } from '../lib/processes.mjs'
import { forEach, openWorkspace, withProduct } from '../lib/product.mjs'
import { count, ms, quantile, spread } from '../lib/stats.mjs'

const CROWD = 300
const NEIGHBOURS = 200
const PER_SECOND = 50
const ROUND_SECONDS = 3
/** The first of a crowd are its connections being made. */
const LEAD_MS = 500
const MOST_ROUNDS = 5
const P99_MS = 250

export const personCrowdFigure = { name: 'person-crowd', run: measure }

async function measure(options) {
  return withProduct(options, async (product) => {
    const [crowd, neighbour] = [await openWorkspace(product.url), await openWorkspace(product.url)]
    await identify(crowd, 1)
    await identify(neighbour, NEIGHBOURS)
    const crowdProgram = startProgram('person-crowd.mjs', [], { core: LOAD_CORE, ipc: true })
    const senders = Object.fromEntries(
      ['preferences', 'events'].map((kind) => [kind, startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })]),
    )
    const send = async () => {
      const sent = Object.entries(senders).map(async ([kind, program]) => {
        const requests = Array.from({ length: NEIGHBOURS }, (_, i) => REQUESTS[kind](neighbour, i))
        const message = { type: 'send', port: product.port, requests, perSecond: PER_SECOND, seconds: ROUND_SECONDS }
        return [kind, (await ask(program, message)).times]
      })
      return Object.fromEntries(await Promise.all(sent))
    }
    const rounds = []
    for (let number = 0; number < Math.min(options.rounds, MOST_ROUNDS); number++) {
      await options.quiet()
      const alone = await send()
      const requests = ['consent', 'push', 'profile', 'location', 'preferences'].map((kind) => REQUESTS[kind](crowd, 0))
      const seconds = ROUND_SECONDS + LEAD_MS / 1000
      const writing = ask(crowdProgram, { type: 'crowd', port: product.port, requests, connections: CROWD, seconds })
      await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
      const beside = await send()
      rounds.push({ alone, beside, statuses: (await writing).statuses })
    }
    await Promise.all([crowdProgram, ...Object.values(senders)].map(stop))
    return describe(rounds)
  })
}

const bodies = {
  identify: (i) => ({ deviceId: `device-${i}`, userId: `user-${i}`, consent: true, traits: { plan: 'gold' } }),
  consent: (i) => ({ deviceId: `device-${i}`, channels: { push: true, marketing: false } }),
  push: (i) => ({ deviceId: `device-${i}`, token: `token-${i}`, platform: 'android' }),
  profile: (i) => ({ deviceId: `device-${i}`, userId: `user-${i}`, category: 'fintech', data: { plan: 'gold' } }),
  location: (i) => ({ deviceId: `device-${i}`, points: [{ latitude: 24.7, longitude: 46.6 }] }),
  preferences: (i) => ({ deviceId: `device-${i}`, digest: 'daily' }),
  events: (i) => ({ deviceId: `device-${i}`, events: [{ type: 'impression', blockKey: 'promo' }] }),
}
const PATHS = { push: 'register-push', preferences: 'push/preferences' }
const REQUESTS = Object.fromEntries(
  Object.keys(bodies).map((kind) => [
    kind,
    ({ live }, i) => {
      const body = JSON.stringify(bodies[kind](i))
      const line = `${kind === 'preferences' ? 'PATCH' : 'POST'} /sdk/v1/${PATHS[kind] ?? kind} HTTP/1.1`
      const head = `${line}\r\nHost: bench\r\nX-CF-Key: ${live}\r\nContent-Type: application/json\r\n`
      return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    },
  ]),
)

async function identify({ app }, people) {
  const answered = async (_, i) => assert.equal((await app.post('/identify', bodies.identify(i))).status, 200)
  await forEach(Array.from({ length: people }), answered, 32)
}

function describe(rounds) {
  return ['preferences', 'events'].map((kind) => {
    const all = (part) => rounds.flatMap((round) => round[part][kind])
    const p99 = quantile(all('beside'), 0.99)
    const alone = quantile(all('alone'), 0.99)
    const crowded = rounds.flatMap(({ statuses }) => Object.values(statuses)).reduce((sum, value) => sum + value, 0)
    return {
      name: kind === 'events' ? 'person-crowd-events' : 'person-crowd',
      what: `${kind === 'events' ? 'POST /events' : 'PATCH /push/preferences'} of another workspace beside ${CROWD} writes at a time about one person, p99`,
      target: { most: P99_MS, unit: 'ms' },
      value: p99,
      spread: spread(
        rounds.map(({ beside }) => quantile(beside[kind], 0.99)),
        1,
      ),
      ours: ms(p99),
      limit: `${ms(alone)} without the crowd`,
      made: [
        `${PER_SECOND} a second, whether or not earlier ones are answered; the longest took ${ms(Math.max(...all('beside')))}. The crowd got ${count(crowded)} answers: consent, push registration, profile, location and preferences of one device in turn.`,
      ],
    }
  })
}
