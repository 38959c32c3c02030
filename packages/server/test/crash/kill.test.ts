/** The process is killed at random moments of a busy life. Whatever was answered must be there afterwards, whole. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, makeBuilders, type Client, type Workspace } from '../builders/builders.ts'
import { openLives } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'
import { pause } from '../harness/until.ts'

const ROUNDS = 10

const database = await freshDatabase()
const server = await openLives(database.env)
after(async () => {
  await server.close()
  await database.remove()
})

/** What was acknowledged so far. What was sent and not answered may be there or not. */
type Ledger = {
  types: Set<string>
  instances: Map<string, string>
  deleted: Set<string>
  published: Set<string>
  keys: Set<string>
  counter: { id: string; acknowledged: number; sent: number }
}

const sizeOf = ({ types, instances, deleted, published, keys }: Ledger) =>
  types.size + instances.size + deleted.size + published.size + keys.size

/** Resolves with the answer's data when it was acknowledged, with undefined when the connection died first. */
async function tryTo(work: () => Promise<{ status: number; data: any; text: string }>, status: number): Promise<any> {
  let answer
  try {
    answer = await work()
  } catch {
    return undefined
  }
  assert.equal(answer.status, status, answer.text)
  return answer.data
}

/** Six kinds of writes side by side, each again and again until the process is gone. */
async function load(ws: Workspace, ledger: Ledger, round: number, isOver: () => boolean): Promise<void> {
  let serial = 0
  const next = (kind: string) => `${kind}_${round}_${serial++}`
  const make = async (title: string) => {
    const made = await tryTo(() => ws.admin.post('/blocks/base/instances', { externalId: title, values: { '#title': title } }), 201)
    if (made) ledger.instances.set(made.id, title)
    return made?.id as string | undefined
  }
  const kinds: (() => Promise<void>)[] = [
    async () => {
      const key = next('type')
      if (await tryTo(() => ws.write.post('/cards/register', { key }), 201)) ledger.types.add(key)
    },
    async () => void (await make(next('made'))),
    async () => {
      const id = await make(next('published'))
      if (id && (await tryTo(() => ws.admin.post(`/blocks/base/instances/${id}/publish`), 200))) ledger.published.add(id)
    },
    async () => {
      const id = await make(next('deleted'))
      if (!id) return
      // From here on it may be gone or not, until the answer says so.
      const title = ledger.instances.get(id) ?? ''
      ledger.instances.delete(id)
      if (await tryTo(() => ws.admin.delete(`/blocks/base/instances/${id}`), 200)) ledger.deleted.add(id)
      else assert.ok(title)
    },
    async () => {
      const { counter } = ledger
      counter.sent++
      const value = counter.sent
      if (await tryTo(() => ws.admin.put(`/blocks/base/instances/${counter.id}`, { title: String(value) }), 200))
        counter.acknowledged = value
    },
    async () => {
      const made = await tryTo(
        () => ws.admin.post('/settings/sdk-keys', { kind: 'publishable', environment: 'live', name: next('key') }),
        201,
      )
      if (made) ledger.keys.add(made.key)
    },
  ]
  await Promise.all(
    kinds.map(async (work) => {
      while (!isOver()) await work()
    }),
  )
}

async function listAll(client: Client, path: string, name: string): Promise<any[]> {
  const items: any[] = []
  for (let cursor = ''; ;) {
    const page = expectStatus(await client.get(`${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`), 200)
    items.push(...page.data[name])
    if (page.body.metadata.nextCursor === null) return items
    cursor = encodeURIComponent(page.body.metadata.nextCursor)
  }
}

async function verify(ws: Workspace, ledger: Ledger, life: string): Promise<void> {
  const types = new Set((await listAll(ws.admin, '/blocks', 'blocks')).map((block) => block.key))
  for (const key of ledger.types) assert.ok(types.has(key), `${life}: the type ${key} was acknowledged and is gone`)
  const instances = new Map((await listAll(ws.admin, '/blocks/base/instances', 'instances')).map((each) => [each.id, each]))
  for (const [id, title] of ledger.instances) {
    assert.ok(instances.has(id), `${life}: the instance ${title} was acknowledged and is gone`)
    assert.equal(instances.get(id).values['#title'], title, life)
  }
  for (const id of ledger.deleted) assert.equal(instances.has(id), false, `${life}: ${id} was deleted and is back`)
  const delivered = new Set((await ws.blocks()).map((block) => block.instanceId))
  for (const id of ledger.published) assert.ok(delivered.has(id), `${life}: ${id} was published and is not delivered`)
  const { counter } = ledger
  const stored = instances.get(counter.id)
  const value = Number(stored.title)
  assert.ok(
    value >= counter.acknowledged && value <= counter.sent,
    `${life}: counter ${value}, acknowledged ${counter.acknowledged}, sent ${counter.sent}`,
  )
  const revisions = expectStatus(await ws.admin.get(`/blocks/base/instances/${counter.id}/revisions?limit=1`), 200)
  assert.equal(revisions.body.metadata.total, stored.version, `${life}: a save is stored with its revision or not at all`)
  assert.equal(revisions.data.revisions[0].content.title, stored.title, life)
  const keyIds = expectStatus(await ws.admin.get('/settings/sdk-keys'), 200).data.keys.map((key: any) => key.id)
  const made = (await listAll(ws.admin, '/audit', 'entries')).filter(({ action }) => action === 'createAppKey')
  assert.deepEqual(
    made.map(({ object }) => object.id).sort(),
    keyIds.sort(),
    `${life}: a key is there with its entry in the audit log or not at all`,
  )
  assert.equal(expectStatus(await ws.admin.get('/audit/verify'), 200).data.fault, null, life)
  for (const key of [...ledger.keys].slice(-5)) assert.equal((await ws.sdk({ 'x-cf-key': key }).get('/blocks/base')).status, 200, life)
}

test(`every acknowledged write survives ${ROUNDS} kills at random moments`, async () => {
  const url = await server.start()
  const { workspace, operator } = makeBuilders(url, OPERATOR_TOKEN)
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await ws.block('base')
  const counter = await ws.instance('base', { title: '0', values: { '#title': 'counter' } }, { publish: false })
  const ledger: Ledger = {
    types: new Set(),
    instances: new Map(),
    deleted: new Set(),
    published: new Set(),
    keys: new Set(),
    counter: { id: counter.id, acknowledged: 0, sent: 0 },
  }
  for (let round = 1; round <= ROUNDS; round++) {
    let isOver = false
    const loading = load(ws, ledger, round, () => isOver)
    // Not before the load is under way, then at any moment of it.
    const goal = sizeOf(ledger) + 5
    while (sizeOf(ledger) < goal) await pause(5)
    await pause(Math.random() * 200)
    await server.end('SIGKILL')
    isOver = true
    await loading
    assert.equal(await server.start(), url)
    await verify(ws, ledger, `after kill ${round}`)
  }
  await server.end('SIGTERM')
  await server.start()
  await verify(ws, ledger, 'after an orderly stop')
})
