/** From approving a campaign until the first push message is at its provider, and until a client that is connected has its in-app message. */
import { createServer } from 'node:http'
import { CAMPAIGN, create, submit } from '../../packages/server/test/campaigns.ts'
import { addChannel } from '../../packages/server/test/channels.ts'
import { openDatabase } from '../../packages/server/src/db/open.ts'
import { freshDatabase } from '../../packages/server/test/start-app.ts'
import { openStream } from '../../packages/server/test/streams.ts'
import { openWorkspace, startProduct } from '../lib/product.mjs'
import { sleep } from '../lib/processes.mjs'
import { count, ms, quantile, spread } from '../lib/stats.mjs'

const [PEOPLE, QUICK_PEOPLE] = [25_000, 2_500]
const [CAMPAIGNS, QUICK_CAMPAIGNS] = [20, 5]
const MOST_MS = 1_000
const GIVE_UP_MS = 30_000
/** Between campaigns, so that the messages of one are over when the next begins. */
const PAUSE_MS = 5_000

export const goingLiveFigure = { name: 'going-live', run: measure }

async function measure({ isQuick, quiet }) {
  const people = isQuick ? QUICK_PEOPLE : PEOPLE
  const database = await freshDatabase()
  const product = await startProduct({ ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
  const provider = await openProvider()
  try {
    const workspace = await openWorkspace(product.url)
    await workspace.admin.put('/settings/features', { features: { frequency_caps: false } })
    await addChannel(workspace.admin, 'push', 'hms', { appId: '100', appSecret: 'secret', baseUrl: provider.url })
    await fill(database.env.DATABASE_URL, workspace.id, people)
    const client = await connect(product.url, workspace)
    const editor = await workspace.editor()
    const times = { push: [], inApp: [], answer: [] }
    for (let i = 0; i < (isQuick ? QUICK_CAMPAIGNS : CAMPAIGNS); i++) {
      await quiet()
      const title = `Campaign ${i}`
      const { id } = await create(editor, {
        ...CAMPAIGN,
        name: title,
        dispatchChannels: ['push', 'in_app'],
        content: { en: { title, body: 'Now' } },
      })
      await submit(editor, id)
      const [pushed, shown] = [provider.next(), client.has(title)]
      const began = performance.now()
      const answer = await workspace.admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' })
      if (answer.status !== 200) throw new Error(`The campaign was not approved: ${answer.text}`)
      times.answer.push(performance.now() - began)
      times.push.push((await within(pushed, 'push message')) - began)
      times.inApp.push((await within(shown, 'in-app message')) - began)
      await workspace.admin.patch(`/campaigns/${id}/status`, { status: 'completed' })
      await sleep(isQuick ? 500 : PAUSE_MS)
    }
    client.close()
    return describe(times, people)
  } finally {
    await product.stop()
    await provider.close()
    await database.remove()
  }
}

/** Takes everything; `next` resolves with the moment of the next message. */
async function openProvider() {
  let told = () => {}
  const server = createServer((request, response) => {
    const isToken = request.url.startsWith('/oauth2/')
    if (!isToken) told(performance.now())
    const body = JSON.stringify(
      isToken ? { access_token: 'token', expires_in: 3_600 } : { code: '80000000', msg: 'Success', requestId: '1' },
    )
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    next: () => new Promise((resolve) => (told = resolve)),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

/** People with a device and a token each; the first one's client is `connect`. */
async function fill(databaseUrl, workspaceId, people) {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '', databasePool: 1 }, console, () => {})
  const now = new Date()
  const each = Array.from({ length: people }, (_, i) => `p${String(i).padStart(9, '0')}`)
  for (let from = 0; from < people; from += 2_000) {
    const ids = each.slice(from, from + 2_000)
    const person = {
      workspace_id: workspaceId,
      environment: 'live',
      channels: '{"push": true, "inApp": true}',
      created_at: now,
      updated_at: now,
    }
    await db
      .insertInto('profiles')
      .values(ids.map((id) => ({ ...person, id, user_id: id })))
      .execute()
    const seen = { consent: 'granted', segments: [], first_seen_at: now, last_seen_at: now, expires_at: new Date('2100-01-01') }
    const device = { workspace_id: workspaceId, environment: 'live', ...seen }
    await db
      .insertInto('devices')
      .values(ids.map((id) => ({ ...device, device_id: id, profile_id: id })))
      .execute()
    const token = { workspace_id: workspaceId, environment: 'live', platform: 'android', provider: 'hms', registered_at: now }
    await db
      .insertInto('push_registrations')
      .values(ids.map((id) => ({ ...token, device_id: id, profile_id: id, token: id, token_hash: id })))
      .execute()
  }
  await close()
}

/** Reads /sync whenever its stream says so, as an app does. */
async function connect(url, { live }) {
  const stream = await openStream(`${url}/sdk/v1/stream?key=${live}`)
  const headers = { 'x-cf-key': live, 'x-cf-device': 'p000000000' }
  const read = async () => (await fetch(`${url}/sdk/v1/sync`, { headers })).text()
  const has = async (title) => {
    const from = stream.events.length
    for (let seen = from; ;) {
      await stream.until('an event', () => stream.events.length > seen)
      seen = stream.events.length
      if ((await read()).includes(`"${title}"`)) return performance.now()
    }
  }
  await read()
  return { has, close: stream.close }
}

function within(promise, what) {
  const late = sleep(GIVE_UP_MS).then(() => Promise.reject(new Error(`no ${what} came`)))
  return Promise.race([promise, late])
}

function describe(times, people) {
  const row = (name, what, values) => ({
    name,
    what,
    target: { most: MOST_MS, unit: 'ms' },
    value: quantile(values, 1),
    spread: spread(values, 0),
    ours: `${ms(quantile(values, 0.5))}, the longest ${ms(quantile(values, 1))}`,
    limit: `${ms(quantile(times.answer, 0.5))} until the approval itself is answered`,
    made: [`${values.length} campaigns, one after another, for ${count(people)} people with a device and a token each.`],
  })
  return [
    row('going-live-push', 'From approving a campaign to its first push message at the provider, the longest', times.push),
    row('going-live-in-app', 'From approving a campaign to its in-app message on a client that is connected, the longest', times.inApp),
  ]
}
