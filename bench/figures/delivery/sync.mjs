/** GET /sync for 1,000 devices with 20 targeted blocks each, against a bare server that sends each device the same bytes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../packages/server/src/db/open.ts'
import { record, startBare } from '../../lib/bare.mjs'
import { forEach, openWorkspace, withProduct } from '../../lib/product.mjs'
import { fairRounds } from '../../lib/quiet.mjs'
import { count, median, ms, percent, spread } from '../../lib/stats.mjs'
import { load, refuseWithoutWrk, writeRequests } from '../../lib/wrk.mjs'

const DEVICES = 1_000
const SEGMENTS = 50
const SEGMENTS_OF_DEVICE = 5
const BLOCKS_OF_SEGMENT = 4
const TARGET = 0.8
const WARM_SECONDS = 3
/** With less of its core than this a server was not what limited the round. */
const FAIR_SHARE = 0.93

const syncFigure = (name, isUnchanged, textLength) => ({ name, run: (options) => measure({ name, isUnchanged, textLength }, options) })
/** Text lengths that make answers of about 6 and 14 kB. */
export const syncFigures = [syncFigure('sync-200', false, 60), syncFigure('sync-200-14k', false, 460), syncFigure('sync-304', true, 60)]

async function measure({ name, isUnchanged, textLength }, options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product, databaseUrl) => {
      const { key, devices } = await makeContent(product.url, databaseUrl, textLength)
      const answers = await readAll(product.url, key, devices)
      const [first] = answers
      const distinct = new Set(answers.map((answer) => answer.etag)).size
      const headersOf = (etag) => (isUnchanged ? ['If-None-Match', etag] : [])
      const requests = (etagOf) => devices.map((id, i) => ['/sdk/v1/sync', 'X-CF-Key', key, 'X-CF-Device', id, ...headersOf(etagOf(i))])
      const files = { product: join(folder, 'product'), bare: join(folder, 'bare') }
      for (const file of Object.values(files)) {
        writeRequests(
          file,
          requests((i) => answers[i].etag),
        )
      }

      const asked = { 'x-cf-key': key, 'x-cf-device': devices[0], ...(isUnchanged && { 'if-none-match': first.etag }) }
      const answer = await record(`${product.url}/sdk/v1/sync`, asked)
      const headersFor = ({ etag, headers }) => (isUnchanged ? answer.headers : headers).map((text) => (text === answer.etag ? etag : text))
      const byDevice = Object.fromEntries(devices.map((id, i) => [id, { ...answers[i], headers: headersFor(answers[i]) }]))
      const bare = await startBare('replay', { ...answer, byDevice }, folder)
      assert.deepEqual(await record(bare.url, asked), answer, 'both servers send the same')
      const rounds = await alternate(product, bare, files, options)
      await bare.stop()
      return [describe(name, rounds, { isUnchanged, bytes: first.body.length, distinct })]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** 50 segments with four blocks each; every device is in five of them, and hardly two devices in the same five. */
export async function makeContent(url, databaseUrl, textLength) {
  const workspace = await openWorkspace(url)
  const blocks = Array.from({ length: 40 }, (_, i) => `promo_${i}`)
  await forEach(blocks, (block) => workspace.block(block, { name: `Promotion ${block}`, screen: 'home' }))
  await forEach(Array.from({ length: SEGMENTS * BLOCKS_OF_SEGMENT }), (_, i) => {
    const text = `Offer ${i} `.padEnd(textLength, 'lorem ipsum dolor sit amet ')
    return workspace.instance(blocks[i % blocks.length], { seg: `segment_${i % SEGMENTS}`, values: { '#title': text } })
  })
  const devices = Array.from({ length: DEVICES }, (_, i) => `device-${String(i).padStart(6, '0')}`)
  await insertDevices(databaseUrl, workspace.id, devices)
  return { workspace, key: workspace.live, devices }
}

export async function insertDevices(databaseUrl, workspaceId, ids) {
  const database = await openDatabase({ databaseUrl, dataDir: '', databasePool: 1 }, console, () => {})
  const now = new Date()
  const rows = ids.map((id, i) => ({
    workspace_id: workspaceId,
    device_id: id,
    environment: 'live',
    consent: 'granted',
    segments: segmentsOf(i),
    first_seen_at: now,
    last_seen_at: now,
    expires_at: new Date('2100-01-01'),
  }))
  await database.db.insertInto('devices').values(rows).execute()
  await database.close()
}

/** Five different segments, the same in every run: a small generator instead of chance. */
function segmentsOf(device) {
  const chosen = new Set()
  for (let x = device + 1; chosen.size < SEGMENTS_OF_DEVICE;) {
    x = (x * 48_271) % 2_147_483_647
    chosen.add(`segment_${x % SEGMENTS}`)
  }
  return [...chosen]
}

/** Reads every device's answer once, which also fills the product's memory as it would be on a running installation. */
async function readAll(url, key, devices) {
  const answers = []
  await forEach(devices, async (id, i) => {
    answers[i] = await record(`${url}/sdk/v1/sync`, { 'x-cf-key': key, 'x-cf-device': id })
    const { blocks } = JSON.parse(answers[i].body).data
    assert.equal(blocks.length, SEGMENTS_OF_DEVICE * BLOCKS_OF_SEGMENT)
    assert.ok(blocks.every((block) => block.segment))
  })
  return answers
}

/** Each round loads both servers, and the next round begins with the other one. */
export async function alternate(product, bare, files, { rounds, seconds, quiet }) {
  const loadOf = { product: (s) => load(product, files.product, s), bare: (s) => load(bare, files.bare, s) }
  await quiet()
  await loadOf.product(WARM_SECONDS)
  await loadOf.bare(WARM_SECONDS)
  const measureRound = async (round) => {
    const order = round % 2 === 0 ? ['product', 'bare'] : ['bare', 'product']
    const result = {}
    for (const side of order) {
      // After a pause the product reads its device views anew, which a steady load spreads over a minute.
      await loadOf[side](1)
      result[side] = await loadOf[side](seconds)
    }
    const sizes = result.product.bytesPerAnswer / result.bare.bytesPerAnswer
    assert.ok(sizes > 0.98 && sizes < 1.02, 'both sent as much')
    return result
  }
  return fairRounds(rounds, quiet, measureRound, (round) => Math.min(round.product.serverShare, round.bare.serverShare) > FAIR_SHARE)
}

function describe(name, { rounds, repeated, isEnough }, { isUnchanged, bytes, distinct }) {
  const each = (side, member) => rounds.map((round) => round[side][member])
  const ratiosOf = (member) => rounds.map(({ product, bare }) => product[member] / bare[member])
  const ratios = ratiosOf('perSecond')
  const perCpu = ratiosOf('perCpuSecond')
  const both = (member, text) => `${text(median(each('product', member)))} and ${text(median(each('bare', member)))}`
  const disturbed = `${repeated} rounds were disturbed by other programs (a server had less than ${percent(FAIR_SHARE)} of its core)`
  return {
    name,
    what: isUnchanged ? 'GET /sync with the tag of its answer: 304' : `GET /sync, 20 targeted blocks, ${count(bytes)} bytes`,
    target: { least: TARGET },
    value: median(ratios),
    spread: spread(ratios),
    ours: `${count(median(each('product', 'perSecond')))} requests/s`,
    limit: `${count(median(each('bare', 'perSecond')))} requests/s, bare node:http`,
    made: [
      `${count(DEVICES)} devices in ${SEGMENTS} segments get ${count(distinct)} different answers; 64 connections, requests rotate over the devices.`,
      `By processor time of the server the ratio is ${median(perCpu).toFixed(2)} (${spread(perCpu)}): ${both('perCpuSecond', count)} requests for each second of it (product and bare).`,
      `The server kept its core ${both('serverShare', percent)} busy, the generator its own ${both('loadShare', percent)}. Latency p99, 64 waiting at a time: ${both('p99', ms)}.`,
      ...(repeated > 0 ? [`${disturbed}; ${isEnough ? 'they were measured again' : 'they count, because too few were not'}.`] : []),
    ],
  }
}
