/** From approving a campaign until the first push message is at its provider, and until a client that is connected has its in-app message. */
import { CAMPAIGN, create, submit } from '../../packages/server/test/builders/campaigns.ts'
import { addChannel } from '../../packages/server/test/builders/channels.ts'
import { identify } from '../../packages/server/test/builders/people.ts'
import { addPeople } from '../../packages/server/test/builders/sends.ts'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { openStream } from '../../packages/server/test/harness/streams.ts'
import { openWorkspace, startProduct } from '../lib/product.mjs'
import { LOAD_CORE, said, sleep, startProgram, stop } from '../lib/processes.mjs'
import { count, ms, quantile, spread } from '../lib/stats.mjs'

const [PEOPLE, QUICK_PEOPLE] = [25_000, 2_500]
const [CAMPAIGNS, QUICK_CAMPAIGNS] = [20, 5]
const MOST_MS = 1_000
const GIVE_UP_MS = 30_000

export const goingLiveFigure = { name: 'going-live', run: measure }

async function measure({ isQuick, quiet }) {
  const people = isQuick ? QUICK_PEOPLE : PEOPLE
  const database = await freshDatabase()
  const product = await startProduct({ ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
  const provider = startProgram('push-provider.mjs', [], { core: LOAD_CORE, ipc: true })
  const [, port] = await said(provider, /listening (\d+)/)
  try {
    const workspace = await openWorkspace(product.url)
    await workspace.admin.put('/settings/features', { features: { frequency_caps: false } })
    await addChannel(workspace.admin, 'push', 'hms', { appId: '100', appSecret: 'secret', baseUrl: `http://127.0.0.1:${port}` })
    await addPeople(
      workspace,
      Array.from({ length: people }, (_, number) => `u${number}`),
    )
    await identify(workspace.app, 'D', 'u0')
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
      const [pushed, everybody, shown] = [untilTold(provider, 1), untilTold(provider, people), client.has(title)]
      const began = performance.now()
      const answer = await workspace.admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' })
      if (answer.status !== 200) throw new Error(`The campaign was not approved: ${answer.text}`)
      times.answer.push(performance.now() - began)
      times.push.push((await within(pushed, 'push message')) - began)
      times.inApp.push((await within(shown, 'in-app message')) - began)
      await within(everybody, 'message for everybody')
      await workspace.admin.patch(`/campaigns/${id}/status`, { status: 'completed' })
    }
    client.close()
    return describe(times, people)
  } finally {
    await Promise.all([product.stop(), stop(provider)])
    await database.remove()
  }
}

/** Reads /sync whenever its stream says so, as an app does. */
async function connect(url, { live }) {
  const stream = await openStream(`${url}/sdk/v1/stream?key=${live}`)
  const headers = { 'x-cf-key': live, 'x-cf-device': 'D' }
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

/** The moment of the `n`th message from now. */
const untilTold = (provider, n) =>
  new Promise((resolve) => {
    const count = () => {
      if (--n > 0) return
      provider.off('message', count)
      resolve(performance.now())
    }
    provider.on('message', count)
  })

function within(promise, what) {
  const late = sleep(GIVE_UP_MS, undefined, { ref: false }).then(() => Promise.reject(new Error(`no ${what} came`)))
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
