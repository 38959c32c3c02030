/** What the views of devices cost that are served from memory, against a map of nothing but their ids. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { printed, sleep } from '../lib/processes.mjs'
import { forEach, openWorkspace, startProduct } from '../lib/product.mjs'
import { count, median, megabytes, spread } from '../lib/stats.mjs'

const VIEWS = 100_000
/** Devices that have every mix of segments, so that answers and code are made before the first look. */
const WARMING = 1_000
const MEGABYTES = 150
const MOST_ROUNDS = 3
const IMPORTED = new URL('../report-memory.mjs', import.meta.url).href

export const deviceViewsFigure = { name: 'device-views', run: measure }

async function measure({ rounds, quiet, isQuick }) {
  const found = []
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
    await quiet()
    found.push(await lookOnce(isQuick ? VIEWS / 10 : VIEWS))
  }
  return [describe(found, isQuick ? VIEWS / 10 : VIEWS)]
}

async function lookOnce(views) {
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  const database = await freshDatabase()
  const file = join(folder, 'memory')
  try {
    const options = { nodeArgs: ['--expose-gc', '--import', IMPORTED], env: { BENCH_MEMORY_FILE: file } }
    const product = await startProduct(database.env, options)
    try {
      const workspace = await openWorkspace(product.url)
      await makeTargets(workspace)
      await insertDevices(database.env.DATABASE_URL, workspace.id, WARMING + views)
      await readAs(product, workspace.live, 0, WARMING)
      const before = await memoryOf(product, file)
      await readAs(product, workspace.live, WARMING, views)
      const after = await memoryOf(product, file)
      return { heap: heapOf(after) - heapOf(before), resident: after.rss - before.rss, bare: bareMap(views) }
    } finally {
      await product.stop()
    }
  } finally {
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const idOf = (i) => `${String(i).padStart(8, '0')}-4a1f-4f0e-9d7b-6f1c2d3e4f5a`
const segmentsOf = (i) => [`Segment a${i % 10}`, `Segment b${Math.floor(i / 10) % 10}`, `Segment c${Math.floor(i / 100) % 10}`]

async function makeTargets(workspace) {
  await workspace.block('promo')
  const names = new Set(Array.from({ length: WARMING }, (_, i) => segmentsOf(i)).flat())
  await forEach([...names], (seg) => workspace.instance('promo', { seg, values: { '#title': seg } }))
}

async function insertDevices(connectionString, workspaceId, total) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const devices = Array.from({ length: total }, (_, i) => ({ id: idOf(i), segments: segmentsOf(i) }))
  await client.query(
    `insert into devices (workspace_id, device_id, environment, consent, segments, first_seen_at, last_seen_at, expires_at)
     select $1, d.id, 'live', 'granted', d.segments, now(), now(), now() + interval '1 day'
     from jsonb_to_recordset($2::jsonb) as d (id text, segments text[])`,
    [workspaceId, JSON.stringify(devices)],
  )
  await client.end()
}

async function readAs(product, key, from, total) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const read = (i) =>
    new Promise((resolve, reject) => {
      const headers = { 'x-cf-key': key, 'x-cf-device': idOf(i) }
      get(`${product.url}/sdk/v1/sync`, { agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`A read was answered ${text}`))))
      }).on('error', reject)
    })
  const first = JSON.parse(await read(from)).data.blocks.map((block) => block.segment)
  assert.deepEqual(first.sort(), segmentsOf(from), 'a device gets what its three segments are aimed at')
  await forEach(
    Array.from({ length: total }, (_, i) => from + i),
    read,
    32,
  )
  agent.destroy()
}

async function memoryOf(product, file) {
  rmSync(file, { force: true })
  process.kill(product.pid, 'SIGUSR2')
  while (!existsSync(file)) await sleep(20)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const heapOf = ({ heapUsed, external }) => heapUsed + external

function bareMap(views) {
  const program = `
    const idOf = ${String(idOf)}
    gc()
    const before = process.memoryUsage().heapUsed
    const map = new Map(Array.from({ length: ${views} }, (_, i) => [Buffer.from(idOf(i)).toString('latin1'), true]))
    gc()
    console.log(process.memoryUsage().heapUsed - before, map.size)`
  return Number.parseInt(printed(process.execPath, '--expose-gc', '-e', program), 10)
}

function describe(rounds, views) {
  const each = (member) => rounds.map((round) => round[member])
  const inMegabytes = each('heap').map((bytes) => bytes / 1024 / 1024)
  const heap = median(each('heap'))
  return {
    name: 'device-views',
    what: `Memory of ${count(views)} devices served from memory, three segments each`,
    target: { most: MEGABYTES, unit: 'MB' },
    value: heap / 1024 / 1024,
    spread: spread(inMegabytes, 0),
    ours: `${megabytes(heap)}, ${count(heap / views)} bytes each`,
    limit: `${megabytes(median(each('bare')))}, a Map of the ids alone`,
    made: [
      `Growth of the heap and of what it holds outside, after garbage collection, while ${count(views)} devices read /sync once each over 32 connections. Every mix of segments had been answered before, so answers are not counted.`,
      `Resident memory grew by ${megabytes(median(each('resident')))} with the garbage of the reads.`,
    ],
  }
}
