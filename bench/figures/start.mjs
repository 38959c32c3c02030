/** How soon a start answers, and what an idle process holds in memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { startBare } from '../lib/bare.mjs'
import { KINDS, memoryOf } from '../lib/memory.mjs'
import { residentBytes, sleep } from '../lib/processes.mjs'
import { openWorkspace, startProduct } from '../lib/product.mjs'
import { median, megabytes, spread } from '../lib/stats.mjs'

const RESTART_SECONDS = 1.5
const FIRST_SECONDS = 8
const IDLE_MEGABYTES = { postgres: 150, embedded: 450 }
const IDLE_SECONDS = 30
/** A look at idle processes takes half a minute; memory differs little between them. */
const IDLE_LOOKS = 5

export const startFigure = { name: 'start', run: measure }

async function measure({ rounds, isQuick, quiet }) {
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  const database = await freshDatabase()
  const idleSeconds = isQuick ? 3 : IDLE_SECONDS
  try {
    const data = { CF_DATA_DIR: join(folder, 'warm') }
    const key = await makeInstallation(data)
    const starts = { first: [], restart: [], bare: [] }
    for (let round = 0; round < rounds; round++) {
      await quiet()
      starts.first.push(await timeStart({ CF_DATA_DIR: join(folder, `first-${round}`), CF_DEMO: 'on' }))
      starts.restart.push(await timeStart(data, key))
      starts.bare.push(await timeBare(folder))
    }
    const idle = { postgres: [], embedded: [], bare: [] }
    for (let round = 0; round < Math.min(rounds, IDLE_LOOKS); round++) {
      const found = await lookAtIdle({ postgres: database.env, embedded: data }, folder, idleSeconds)
      for (const [kind, memory] of Object.entries(found)) idle[kind].push(memory)
    }
    return [
      describeStart(
        'start-restart',
        'Restart of an embedded installation to its first 200 of /sync',
        RESTART_SECONDS,
        starts.restart,
        starts.bare,
      ),
      describeStart(
        'start-first',
        'First start in an empty folder, demo included, to the first 200 of /sync',
        FIRST_SECONDS,
        starts.first,
        starts.bare,
      ),
      describeIdle('postgres', idle, idleSeconds),
      describeIdle('embedded', idle, idleSeconds),
    ]
  } finally {
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All cores, as on a machine of one's own. */
const startFree = (env) => startProduct(env, { core: null })

async function makeInstallation(env) {
  const product = await startFree(env)
  const workspace = await openWorkspace(product.url)
  await workspace.block('promo')
  await workspace.instance('promo')
  await product.stop()
  return workspace.live
}

/** Seconds from starting the process to a 200 of /sync; without a key, with the one the demo prints. */
async function timeStart(env, knownKey) {
  const began = performance.now()
  const product = await startFree(env)
  const key = knownKey ?? product.printed('App key \\(live\\)')
  const status = await statusOf(`${product.url}/sdk/v1/sync`, { 'x-cf-key': key })
  const seconds = (performance.now() - began) / 1000
  await product.stop()
  if (status !== 200) throw new Error(`/sync answered ${status} after a start`)
  return seconds
}

async function timeBare(folder) {
  const began = performance.now()
  const bare = await startBare('replay', { status: 200, headers: [], body: '{}' }, folder, null)
  await statusOf(bare.url)
  const seconds = (performance.now() - began) / 1000
  await bare.stop()
  return seconds
}

function statusOf(url, headers = {}) {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    }).on('error', reject)
  })
}

async function lookAtIdle(environments, folder, seconds) {
  const servers = { bare: await startBare('replay', { status: 200, headers: [], body: '{}' }, folder, null) }
  for (const [kind, env] of Object.entries(environments)) servers[kind] = await startFree(env)
  await sleep(seconds * 1000)
  const found = {}
  for (const [kind, server] of Object.entries(servers)) {
    found[kind] = { resident: residentBytes(server.pid), made: memoryOf(server.pid) }
    await server.stop()
  }
  return found
}

function describeStart(name, what, target, seconds, bare) {
  return {
    name,
    what,
    target: { most: target, unit: 's' },
    value: median(seconds),
    spread: spread(seconds),
    ours: `${median(seconds).toFixed(2)} s`,
    limit: `${median(bare).toFixed(2)} s, bare node:http`,
    made: ['Timed from starting the process, on all cores, with its files in the page cache.'],
  }
}

function describeIdle(kind, idle, seconds) {
  const residents = idle[kind].map(({ resident }) => resident)
  const parts = Object.entries(KINDS).map(([part, meaning]) => `${meaning}: ${megabytes(median(idle[kind].map(({ made }) => made[part])))}`)
  return {
    name: `idle-${kind}`,
    what: `Resident memory ${seconds} s after a start, ${kind === 'postgres' ? 'PostgreSQL (this process only)' : 'embedded database'}`,
    target: { most: IDLE_MEGABYTES[kind], unit: 'MB' },
    value: median(residents) / 1024 ** 2,
    spread: spread(
      residents.map((bytes) => bytes / 1024 ** 2),
      0,
    ),
    ours: megabytes(median(residents)),
    limit: `${megabytes(median(idle.bare.map(({ resident }) => resident)))}, bare node:http`,
    made: [`Made of ${parts.join('; ')}. 1 MB is 1,048,576 bytes.`],
  }
}
