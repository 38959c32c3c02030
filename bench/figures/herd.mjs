/**
 * After a publish every client reads at once, and what the server knows of their devices is old. How soon the last one is
 * current, and what another workspace notices of it.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { makeBuilders } from '../../packages/server/test/builders/builders.ts'
import { ask, LOAD_CORE, startProgram, stop } from '../lib/processes.mjs'
import { forEach, OPERATOR_TOKEN, openWorkspace, startProduct } from '../lib/product.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'

const STREAMS = 20_000
const QUICK_STREAMS = 4_000
/** Left to the server itself (http/node-server.ts keeps 1,000), to what is no stream, to streams of other keys, and to a neighbour whose requests wait. */
const OTHER_FILES = 5_000
const SEGMENTS = 20
const NEIGHBOURS = 200
const PER_SECOND = 200
const P99_MS = 100
const CURRENT_MS = 3_000
/** How long the neighbour sends around one publish, and how much of it comes before. */
const ROUND_SECONDS = 5
const LEAD_MS = 1_000
/** What the neighbour sent from a publish until so much later counts. */
const WINDOW_MS = 3_000
/** Older than views are kept without being read again. */
const OLD_SECONDS = 61
const MOST_ROUNDS = 5

export const herdFigure = { name: 'herd', run: measure }

async function measure(options) {
  const database = await freshDatabase()
  const streams = Math.min(options.isQuick ? QUICK_STREAMS : STREAMS, openFilesLimit() - OTHER_FILES)
  try {
    const product = await startProduct(database.env, {
      profile: options.profile,
      env: { CF_TEST_HOOKS: 'on', CF_CONNECTIONS_PER_ADDRESS: String(STREAMS * 2) },
    })
    try {
      return describe(streams, await publishAgainAndAgain(product, streams, options))
    } finally {
      await product.stop()
    }
  } finally {
    await database.remove()
  }
}

const openFilesLimit = () => Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))[1])

async function publishAgainAndAgain(product, streams, { rounds, quiet }) {
  const crowd = await openWorkspace(product.url)
  const neighbour = await openWorkspace(product.url)
  for (const workspace of [crowd, neighbour]) await makeSegments(workspace)
  await crowd.block('promo')
  const instance = await crowd.instance('promo')
  await crowd.instance('promo', { seg: 'Segment 0' })
  await identifyAll(crowd, streams)
  await identifyAll(neighbour, NEIGHBOURS)

  const { advance } = makeBuilders(product.url, OPERATOR_TOKEN)
  const herd = startProgram('client-herd.mjs', [], { core: LOAD_CORE, ipc: true })
  await ask(herd, { type: 'open', port: product.port, key: crowd.live, count: streams })
  const senders = { identify: requestsOf(neighbour, 'identify'), events: requestsOf(neighbour, 'events') }
  const programs = Object.keys(senders).map((kind) => [kind, startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })])
  const found = []
  // The first round warms up.
  for (let number = 0; number <= Math.min(rounds, MOST_ROUNDS); number++) {
    await quiet()
    await advance(OLD_SECONDS)
    const sending = programs.map(async ([kind, program]) => {
      const sent = await ask(program, {
        type: 'send',
        port: product.port,
        requests: senders[kind],
        perSecond: PER_SECOND,
        seconds: ROUND_SECONDS,
      })
      return [kind, sent]
    })
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    const text = `Headline ${number}.`
    const published = await ask(herd, { type: 'publish', request: crowd.saveRequest(instance, text), text })
    const sent = Object.fromEntries(await Promise.all(sending))
    if (number > 0) found.push({ published, identify: split(sent.identify, published.began), events: split(sent.events, published.began) })
  }
  await Promise.all([stop(herd), ...programs.map(([, program]) => stop(program))])
  return found
}

/** Times of what was sent before the publish, and in the window after it. */
function split({ times, began }, publishedAt) {
  const sentAt = (i) => began + (i / PER_SECOND) * 1_000 - publishedAt
  return { before: times.filter((_, i) => sentAt(i) < 0), after: times.filter((_, i) => sentAt(i) >= 0 && sentAt(i) < WINDOW_MS) }
}

async function makeSegments({ admin }) {
  await forEach(Array.from({ length: SEGMENTS }), async (_, i) => {
    const rules = [
      { field: 'customAttributes.group', operator: 'equals', value: i },
      { field: 'customAttributes.plan', operator: 'in', value: ['gold', 'silver'] },
      { field: 'customAttributes.age', operator: 'greater_than', value: 18 },
    ]
    assert.equal((await admin.post('/segments', { name: `Segment ${i}`, logicalOperator: 'AND', rules })).status, 201)
  })
}

const identifyBody = (i) => ({
  deviceId: `device-${i}`,
  userId: `user-${i}`,
  consent: true,
  traits: { group: i % SEGMENTS, plan: i % 2 === 0 ? 'gold' : 'silver', age: 20 + (i % 50), city: 'Riyadh', tags: ['a', 'b'] },
})
const eventsBody = (i) => ({
  deviceId: `device-${i}`,
  events: Array.from({ length: 5 }, () => ({ type: 'impression', blockKey: 'promo' })),
})

async function identifyAll({ app }, people) {
  await forEach(
    Array.from({ length: people }),
    async (_, i) => assert.equal((await app.post('/identify', identifyBody(i))).status, 200),
    32,
  )
}

function requestsOf({ live }, kind) {
  return Array.from({ length: NEIGHBOURS }, (_, i) => {
    const body = JSON.stringify(kind === 'identify' ? identifyBody(i) : eventsBody(i))
    const head = `POST /sdk/v1/${kind} HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${live}\r\nContent-Type: application/json\r\n`
    return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  })
}

function describe(streams, rounds) {
  const last = rounds.map(({ published }) => published.current.at(-1))
  const neighbour = (kind) => {
    const each = (part) => rounds.map((round) => round[kind][part])
    const p99 = quantile(each('after').flat(), 0.99)
    return {
      name: `herd-${kind}`,
      what: `POST /${kind} of another workspace in the ${WINDOW_MS / 1_000} s after a publish that ${count(streams)} clients follow, p99`,
      target: { most: P99_MS, unit: 'ms' },
      value: p99,
      spread: spread(
        each('after').map((times) => quantile(times, 0.99)),
        1,
      ),
      ours: ms(p99),
      limit: `${ms(quantile(each('before').flat(), 0.99))} before the publish`,
      made: [
        `${PER_SECOND} a second, whether or not earlier ones are answered; ${count(each('after').flat().length)} after publishes. The longest took ${ms(Math.max(...each('after').flat()))}.`,
      ],
    }
  }
  return [
    {
      name: 'herd',
      what: `From sending a publish until the last of ${count(streams)} clients has read it, views of their devices older than a minute`,
      target: { most: CURRENT_MS, unit: 'ms' },
      value: Math.max(...last),
      spread: spread(last, 0),
      ours: `${ms(Math.max(...last))}, median client ${ms(median(rounds.flatMap(({ published }) => published.current)))}`,
      limit: 'none',
      made: [
        `Each client holds a stream and reads /sync as itself when it is told, over 500 connections that all share, as through a load balancer. ${SEGMENTS} segments of three conditions; another workspace identifies and sends events meanwhile.`,
        `The publish was answered after ${ms(median(rounds.map(({ published }) => published.answered)))}, the last stream told after ${ms(median(rounds.map(({ published }) => published.heard)))} (medians of ${rounds.length} publishes). A process may open ${count(openFilesLimit())} files here.`,
      ],
    },
    neighbour('identify'),
    neighbour('events'),
  ]
}
