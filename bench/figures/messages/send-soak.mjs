/** Ten minutes of sending as fast as it goes: whether memory stays flat, and what readers notice. */
import { expectStatus } from '../../../packages/server/test/builders/builders.ts'
import { addPeople } from '../../../packages/server/test/builders/sends.ts'
import { addChannel } from '../../../packages/server/test/builders/channels.ts'
import { freshDatabase } from '../../../packages/server/test/harness/start-app.ts'
import { ask, LOAD_CORE, residentBytes, said, sleep, startProgram, stop } from '../../lib/processes.mjs'
import { openWorkspace, startProduct } from '../../lib/product.mjs'
import { count, median, megabytes, ms, quantile, spread } from '../../lib/stats.mjs'

const PEOPLE = 25_000
const [SECONDS, QUICK_SECONDS] = [600, 40]
/** Compiled code and caches have settled by then. */
const WARM_SHARE = 0.2
const READS_A_SECOND = 50
const SLICE_SECONDS = 5
const [GROWTH, SLOWER] = [1.05, 2]

export const sendSoakFigure = { name: 'send-soak', run: measure }

async function measure({ isQuick, profile }) {
  const seconds = isQuick ? QUICK_SECONDS : SECONDS
  const database = await freshDatabase()
  const provider = startProgram('push-provider.mjs', [], { core: LOAD_CORE })
  const reader = startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })
  const [, port] = await said(provider, /listening (\d+)/)
  const env = { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const product = await startProduct(database.env, { env, profile })
  try {
    const workspace = await openShop(product.url, `http://127.0.0.1:${port}`)
    const request = `GET /sdk/v1/sync HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${workspace.live}\r\n\r\n`
    const read = async () =>
      (await ask(reader, { type: 'send', port: product.port, requests: [request], perSecond: READS_A_SECOND, seconds: SLICE_SECONDS }))
        .times
    await read()
    const idle = [...(await read()), ...(await read())]
    const found = { idle, busy: [], memory: [], sent: 0 }
    const until = performance.now() + seconds * 1_000
    const isOver = () => performance.now() > until
    await Promise.all([sendOn(workspace, found, isOver), readOn(product.pid, read, found, isOver)])
    return describe(seconds, found)
  } finally {
    await Promise.all([stop(provider), stop(reader), product.stop()])
    await database.remove()
  }
}

async function openShop(url, baseUrl) {
  const workspace = await openWorkspace(url)
  expectStatus(await workspace.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  await addChannel(workspace.admin, 'push', 'hms', { appId: '100', appSecret: 'secret', baseUrl })
  await addPeople(
    workspace,
    Array.from({ length: PEOPLE }, (_, number) => `u${number}`),
  )
  return workspace
}

/** One campaign to everybody after another. */
async function sendOn(workspace, found, isOver) {
  const { admin } = workspace
  const editor = await workspace.editor()
  const content = { en: { title: 'Weekend', body: 'Everything is a fifth cheaper until Saturday.' } }
  while (!isOver()) {
    const body = { name: 'Weekend', type: 'promo', segments: ['All users'], content, dispatchChannels: ['push'], schedule: {} }
    const { id } = expectStatus(await editor.post('/campaigns', body), 201).data
    expectStatus(await editor.post(`/campaigns/${id}/submit-review`, {}), 200)
    expectStatus(await admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' }), 200)
    const report = async () => expectStatus(await admin.get(`/campaigns/${id}/report`), 200).data.channels.push
    let sums = await report()
    while (!isOver() && (sums?.sent ?? 0) < PEOPLE) {
      await sleep(1_000)
      sums = await report()
      if (sums?.failed) throw new Error(`Messages failed: ${JSON.stringify(sums.failures)}`)
    }
    found.sent += sums?.sent ?? 0
  }
}

async function readOn(pid, read, found, isOver) {
  while (!isOver()) {
    found.busy.push(...(await read()))
    found.memory.push(residentBytes(pid))
  }
}

function describe(seconds, { idle, busy, memory, sent }) {
  const warm = memory.slice(Math.floor(memory.length * WARM_SHARE))
  const part = Math.max(1, Math.floor(warm.length / 8))
  // Garbage that is not collected yet is no growth: of each end the median of some samples.
  const [first, last] = [median(warm.slice(0, part)), median(warm.slice(-part))]
  const [busy99, idle99] = [quantile(busy, 0.99), quantile(idle, 0.99)]
  const made = [`${count(sent)} push messages in ${seconds} s (${count(sent / seconds)} a second), to ${count(PEOPLE)} people at a time.`]
  return [
    {
      name: 'send-soak-memory',
      what: `Resident memory at the end of ${seconds} s of sending, against that after a fifth of it`,
      target: { most: GROWTH },
      value: last / first,
      spread: spread(
        warm.map((bytes) => bytes / first),
        2,
      ),
      ours: megabytes(last),
      limit: `${megabytes(first)} before`,
      made,
    },
    {
      name: 'send-soak-sync',
      what: `p99 of /sync, ${READS_A_SECOND} a second, while messages are sent as fast as it goes`,
      target: { most: SLOWER },
      value: busy99 / idle99,
      spread: '',
      ours: `${ms(busy99)}, median ${ms(median(busy))}`,
      limit: `${ms(idle99)}, median ${ms(median(idle))}, with nothing to send`,
      made: [],
    },
  ]
}
