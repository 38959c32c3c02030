/** POST /identify with ten traits among 100 segments of three conditions, against a bare server that upserts one row for each request. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { said, SERVER_CORE, startProgram, stop } from '../lib/processes.mjs'
import { forEach, openWorkspace, withProduct } from '../lib/product.mjs'
import { fairRounds } from '../lib/quiet.mjs'
import { count, median, ms, percent, spread } from '../lib/stats.mjs'
import { load, refuseWithoutWrk, writeRequests } from '../lib/wrk.mjs'

const PEOPLE = 20_000
const SEGMENTS = 100
const CONNECTIONS = 10
const RATE = 0.5
const P99 = 4
const PLANS = ['gold', 'silver', 'basic']
const CITIES = ['Riyadh', 'Jeddah', 'Dammam', 'Cairo', 'Dubai']

export const identifyFigure = { name: 'identify', run: measure }

async function measure(options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product, databaseUrl) => {
      const workspace = await openWorkspace(product.url)
      await makeSegments(workspace)
      const file = join(folder, 'requests')
      const headers = ['X-CF-Key', workspace.live, 'Content-Type', 'application/json']
      const people = Array.from({ length: PEOPLE }, (_, i) => i)
      writeRequests(
        file,
        people.map((i) => ['/sdk/v1/identify', ...headers, '@body', JSON.stringify(bodyOf(i))]),
      )
      await forEach(people, async (i) => assert.equal((await workspace.app.post('/identify', bodyOf(i))).status, 200), 32)
      const bare = await startUpserts(databaseUrl)
      const rounds = await alternate(product, bare, file, options)
      await bare.stop()
      return describe(rounds)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function bodyOf(i) {
  const traits = { plan: PLANS[i % 3], city: CITIES[i % 5], age: 18 + (i % 60), orders: i % 40, spent: (i * 37) % 5_000, vip: i % 10 === 0 }
  return {
    deviceId: `device-${i}`,
    userId: `user-${i}`,
    consent: true,
    traits: { ...traits, tags: ['a', 'b'], size: 'M', points: i, theme: 'dark' },
  }
}

async function makeSegments({ admin }) {
  await forEach(Array.from({ length: SEGMENTS }), async (_, i) => {
    const rules = [
      { field: 'customAttributes.plan', operator: 'equals', value: PLANS[i % 3] },
      { field: 'customAttributes.age', operator: 'greater_than', value: 18 + (i % 50) },
      { field: 'customAttributes.city', operator: 'in', value: [CITIES[i % 5], CITIES[(i + 1) % 5]] },
    ]
    assert.equal((await admin.post('/segments', { name: `Segment ${i}`, logicalOperator: 'AND', rules })).status, 201)
  })
}

async function startUpserts(databaseUrl) {
  const child = startProgram('upsert-server.mjs', [databaseUrl, String(CONNECTIONS)], { core: SERVER_CORE })
  const [, port] = await said(child, /listening (\d+)/)
  return { pid: child.pid, port: Number(port), stop: () => stop(child) }
}

/** Both servers wait for the database, so a busy core is no sign of a fair round here; the two take turns instead. */
async function alternate(product, bare, file, { rounds, seconds, quiet }) {
  await load(product, file, 2)
  await load(bare, file, 2)
  const measureRound = async (round) => {
    const result = {}
    for (const side of round % 2 === 0 ? ['product', 'bare'] : ['bare', 'product']) {
      result[side] = await load(side === 'product' ? product : bare, file, seconds)
    }
    return result
  }
  return fairRounds(rounds, quiet, measureRound, () => true)
}

function describe({ rounds }) {
  const each = (side, member) => rounds.map((round) => round[side][member])
  const ratiosOf = (member) => rounds.map(({ product, bare }) => product[member] / bare[member])
  const made = [
    `${count(PEOPLE)} people identified again and again with ten traits, ${SEGMENTS} segments of three conditions, 64 connections, ${CONNECTIONS} to the database on both sides.`,
    `The server kept its core ${percent(median(each('product', 'serverShare')))} and ${percent(median(each('bare', 'serverShare')))} busy; PostgreSQL and the load share the other.`,
  ]
  return [
    {
      name: 'identify',
      what: 'POST /identify, ten traits, 100 segments of three conditions: rate',
      target: { least: RATE },
      value: median(ratiosOf('perSecond')),
      spread: spread(ratiosOf('perSecond')),
      ours: `${count(median(each('product', 'perSecond')))} requests/s`,
      limit: `${count(median(each('bare', 'perSecond')))} requests/s, node:http with one upsert`,
      made,
    },
    {
      name: 'identify-p99',
      what: 'The same: p99 with 64 waiting at a time',
      target: { most: P99 },
      value: median(ratiosOf('p99')),
      spread: spread(ratiosOf('p99')),
      ours: ms(median(each('product', 'p99'))),
      limit: `${ms(median(each('bare', 'p99')))}, node:http with one upsert`,
      made: ['From the same rounds.'],
    },
  ]
}
