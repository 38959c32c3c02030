/** GET /sync of 1,000 installations that prove who they are, beside the same without any proof, by one process. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../packages/server/src/db/open.ts'
import { record } from '../../lib/bare.mjs'
import { forEach, withProduct } from '../../lib/product.mjs'
import { count, median, percent, spread } from '../../lib/stats.mjs'
import { refuseWithoutWrk, writeRequests } from '../../lib/wrk.mjs'
import { alternate, insertDevices, makeContent } from './sync.mjs'

const TARGET = 0.95
const TEXT_LENGTH = 60

export const syncProvenFigure = { name: 'sync-proven', run: measure }

async function measure(options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product, databaseUrl) => {
      const [proven, plain] = [join(folder, 'proven'), join(folder, 'plain')]
      writeRequests(proven, await prepare(product.url, databaseUrl, true))
      writeRequests(plain, await prepare(product.url, databaseUrl, false))
      const rounds = await alternate(product, product, { product: proven, bare: plain }, options)
      return [describe(rounds)]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A workspace whose installations are bound where that is asked for, each of them read once. */
async function prepare(url, databaseUrl, isProven) {
  const { workspace, devices } = await makeContent(url, databaseUrl, TEXT_LENGTH)
  const tokens = isProven ? await bindAll(workspace, databaseUrl, devices) : []
  const requests = devices.map((id, i) => {
    const token = isProven ? ['X-CF-Device-Token', tokens[i]] : []
    return ['/sdk/v1/sync', 'X-CF-Key', workspace.live, 'X-CF-Device', id, ...token]
  })
  await forEach(requests, async ([path, ...headers]) => {
    const answer = await record(
      url + path,
      Object.fromEntries(headers.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), headers[i + 1]]] : []))),
    )
    assert.equal(JSON.parse(answer.body).data.blocks.length, 20)
  })
  return requests
}

/** By an identify each; what that made of their segments is put back. */
async function bindAll(workspace, databaseUrl, devices) {
  const settings = '/settings/identity-verification'
  assert.equal((await workspace.admin.post('/settings/identity-keys', { environment: 'live', kind: 'secret' })).status, 201)
  const database = await openDatabase({ databaseUrl, dataDir: '', databasePool: 1 }, console, () => {})
  await database.db.deleteFrom('devices').where('workspace_id', '=', workspace.id).execute()
  assert.equal((await workspace.admin.put(settings, { environment: 'live', deviceProof: 'required' })).status, 200)
  const tokens = []
  await forEach(devices, async (deviceId, i) => {
    tokens[i] = (await workspace.app.post('/identify', { deviceId, consent: true })).data.deviceToken
  })
  assert.equal((await workspace.admin.put(settings, { environment: 'live', userToken: 'required' })).status, 200)
  await database.db.deleteFrom('devices').where('workspace_id', '=', workspace.id).execute()
  await database.close()
  await insertDevices(databaseUrl, workspace.id, devices)
  return tokens
}

function describe({ rounds, repeated, isEnough }) {
  const each = (side, member) => rounds.map((round) => round[side][member])
  const ratiosOf = (member) => rounds.map(({ product, bare }) => product[member] / bare[member])
  const ratios = ratiosOf('perSecond')
  return {
    name: 'sync-proven',
    what: 'GET /sync, 20 targeted blocks, user token and device proof required',
    target: { least: TARGET },
    value: median(ratios),
    spread: spread(ratios),
    ours: `${count(median(each('product', 'perSecond')))} requests/s`,
    limit: `${count(median(each('bare', 'perSecond')))} requests/s, the same without proofs`,
    made: [
      `1,000 installations in two workspaces of one process, one of which requires both proofs; 64 connections.`,
      `By processor time of the server: ${percent(median(ratiosOf('perCpuSecond')))}. ${repeated} rounds were disturbed by other programs${isEnough ? '' : ', and too few were left'}.`,
    ],
  }
}
