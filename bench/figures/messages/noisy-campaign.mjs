/**
 * A small campaign beside a workspace whose provider of push messages and whose webhooks never answer, with a campaign to
 * 25,000 people and an import of 200,000 rows under way, against the same campaign alone; on both engines.
 */
import { expectStatus } from '../../../packages/server/test/builders/builders.ts'
import { addChannel } from '../../../packages/server/test/builders/channels.ts'
import { begin, stage } from '../../../packages/server/test/builders/imports.ts'
import { addPeople } from '../../../packages/server/test/builders/sends.ts'
import { freshDatabase } from '../../../packages/server/test/harness/start-app.ts'
import { LOAD_CORE, said, sleep, startProgram, stop } from '../../lib/processes.mjs'
import { openWorkspace, startProduct } from '../../lib/product.mjs'
import { count, median, ms, spread } from '../../lib/stats.mjs'

const [PEOPLE, FEW] = [25_000, 60]
const [ROWS, QUICK_ROWS, CHUNK] = [200_000, 20_000, 2_000]
const MOST_MS = 2_000
/** Whoever has not got it by then does not get it beside this neighbour. */
const PATIENCE_MS = 120_000
const ENV = { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const PUSH = { appId: '100', appSecret: 'secret' }

export const noisyCampaignFigure = { name: 'noisy-campaign', run: measure }

async function measure(options) {
  const rows = []
  for (const engine of ['postgres', 'embedded']) rows.push(await measureOn(engine, options))
  return rows
}

async function measureOn(engine, options) {
  const database = await databaseOf(engine)
  const good = startProgram('push-provider.mjs', [], { core: LOAD_CORE })
  const silent = startProgram('push-provider.mjs', ['silent'], { core: LOAD_CORE })
  const urls = []
  for (const provider of [good, silent]) urls.push(`http://127.0.0.1:${(await said(provider, /listening (\d+)/))[1]}`)
  const product = await startProduct(database.env, { env: ENV, profile: options.profile })
  try {
    const quiet = await openShop(product.url, urls[0], FEW)
    const noisy = await openShop(product.url, urls[1], PEOPLE)
    const rounds = Math.min(options.rounds, 5)
    const alone = []
    for (let round = 0; round < rounds; round++) alone.push(await sendFew(quiet))
    const importId = await prepare(noisy, urls[1], options.isQuick ? QUICK_ROWS : ROWS)
    await begun(noisy)
    await sleep(1_000)
    expectStatus(await noisy.admin.post(`/enrichment/imports/${importId}/match`), 202)
    const beside = []
    for (let round = 0; round < rounds; round++) beside.push(await sendFew(quiet))
    return describe(engine, alone, beside, await seenOf(noisy, importId))
  } finally {
    await Promise.all([stop(good), stop(silent), product.stop()])
    await database.remove()
  }
}

async function databaseOf(engine) {
  const url = process.env.TEST_DATABASE_URL
  if (engine === 'embedded') delete process.env.TEST_DATABASE_URL
  try {
    return await freshDatabase()
  } finally {
    process.env.TEST_DATABASE_URL = url
  }
}

async function openShop(url, baseUrl, people) {
  const workspace = await openWorkspace(url)
  expectStatus(await workspace.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  await addChannel(workspace.admin, 'push', 'hms', { ...PUSH, baseUrl })
  for (let from = 0; from < people; from += CHUNK) {
    const userIds = Array.from({ length: Math.min(CHUNK, people - from) }, (_, index) => `u${from + index}`)
    // A machine that is busy elsewhere may refuse some; that is no part of this.
    await addPeople(workspace, userIds).catch(() => addPeople(workspace, userIds))
  }
  return { ...workspace, author: await workspace.editor() }
}

/** A webhook that hangs, and rows that wait to be matched: one in eight names somebody. */
async function prepare({ admin }, url, rows) {
  expectStatus(await admin.post('/webhooks', { url: `${url}/hook`, events: ['campaign.status_changed'] }), 201)
  const id = await begin(admin, { names: { tier: 'string' } })
  for (let from = 0; from < rows; from += CHUNK) {
    const chunk = Array.from({ length: CHUNK }, (_, index) => [`u${from + index}`, 'gold'])
    await stage(admin, id, chunk, from + 1)
  }
  return id
}

/** A campaign to everybody; its id. */
async function begun({ admin, author }) {
  const content = { en: { title: 'Weekend', body: 'Everything is a fifth cheaper until Saturday.' } }
  const body = { name: 'Weekend', type: 'promo', segments: ['All users'], content, dispatchChannels: ['push'], schedule: {} }
  const { id } = expectStatus(await author.post('/campaigns', body), 201).data
  expectStatus(await author.post(`/campaigns/${id}/submit-review`, {}), 200)
  expectStatus(await admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' }), 200)
  return id
}

/** Milliseconds from before it is approved until all have it. */
async function sendFew(workspace) {
  const began = performance.now()
  const id = await begun(workspace)
  for (;;) {
    const { channels } = expectStatus(await workspace.admin.get(`/campaigns/${id}/report`), 200).data
    const took = performance.now() - began
    if (channels.push?.sent === FEW || took > PATIENCE_MS) return took
    await sleep(20)
  }
}

async function seenOf({ admin }, importId) {
  const { status } = expectStatus(await admin.get(`/enrichment/imports/${importId}`), 200).data
  return status
}

function describe(engine, alone, beside, status) {
  return {
    name: engine === 'postgres' ? 'noisy-campaign' : 'noisy-campaign-embedded',
    what: `A campaign to ${FEW} people beside a workspace that hangs, ${engine === 'postgres' ? 'PostgreSQL' : 'embedded database'}: the longest until all have it`,
    target: { most: MOST_MS, unit: 'ms' },
    value: Math.max(...beside),
    spread: spread(beside, 0),
    ours: `median ${ms(median(beside))}`,
    limit: `none; ${ms(median(alone))} alone`,
    made: [
      `The neighbour: a campaign to ${count(PEOPLE)} people over a provider that never answers, a webhook likewise, and an import, which was ${status} at the end.`,
    ],
  }
}
