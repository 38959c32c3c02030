/**
 * Fifty repeats of one request over two processes, of which one dies before, between and after effect and answer: one effect, one
 * answer (decision 81). The embedded database has no second process.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientOf, expectStatus, type Answer, type Client, type Workspace } from '../builders/builders.ts'
import { CAMPAIGN } from '../builders/campaigns.ts'
import { SEGMENT } from '../isolation/isolation-bodies.ts'
import { startApp, type TestApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const CHILD = fileURLToPath(new URL('once-child.ts', import.meta.url))
const REPEATS = 50
/** Before the effect commits, after it and before the answer is kept, and before that is sent. */
const POINTS = ['once.change', 'once.answer', 'once.answered']

if (process.env['TEST_DATABASE_URL']) testKills(await startApp())

/** A second process on the same database, which dies at a point. `ahead`: seconds of its clock. */
async function openChild(
  env: Record<string, string>,
  point: string,
  ahead: number,
): Promise<{ url: string; ended: Promise<unknown>; end(): void }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [CHILD, point, String(ahead)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, NODE_COMPILE_CACHE, NODE_NO_WARNINGS: '1', ...env },
  })
  const ended = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)))
  const url = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim())))
  return { url, ended, end: () => void child.kill('SIGKILL') }
}

/** What a request does is counted by a list that it makes longer. */
type Write = { path: string; body: (serial: string) => object; list: string; name: string }
const WRITES: Write[] = [
  { path: '/segments', body: (serial) => ({ ...SEGMENT, name: serial }), list: '/segments', name: 'segments' },
  { path: '/settings/sdk-keys', body: () => ({ kind: 'secret', environment: 'test' }), list: '/settings/sdk-keys', name: 'keys' },
  { path: '/blocks/promo/instances', body: (serial) => ({ externalId: serial }), list: '/blocks/promo/instances', name: 'instances' },
  { path: '/campaigns', body: (serial) => ({ ...CAMPAIGN, name: serial }), list: '/campaigns', name: 'campaigns' },
]

function testKills({ ctx, workspace, databaseEnv, advance, url }: TestApp): void {
  // Both processes need one clock: a lease of one that is behind is over for the other.
  let ahead = 0
  for (const point of POINTS)
    test(`fifty repeats over two processes, of which one dies at ${point}, have one effect and one answer`, async () => {
      const ws = await workspace()
      await ws.block('promo')
      for (const write of WRITES) await dieIn(ws, write, point)
    })

  async function dieIn(ws: Workspace, { path, body, list, name }: Write, point: string): Promise<void> {
    const count = async () => expectStatus(await ws.admin.get(`${list}?limit=200`), 200).data[name].length as number
    const before = await count()
    const claimed = async (id: string) =>
      (await ctx.db.selectFrom('idempotency_keys').select('route').where('workspace_id', '=', id).execute()).length
    const keysBefore = await claimed(ws.id)
    const child = await openChild(databaseEnv, point, ahead)
    const headers = { authorization: `Bearer ${ws.token}`, 'x-tenant-id': ws.id, 'idempotency-key': `"${randomUUID()}"` }
    const [own, other] = [url, child.url].map((each) => clientOf(`${each}/api/v1`, headers)) as [Client, Client]
    const sent = body(randomUUID())
    // Only the process that dies leaves requests without an answer.
    const send = (client: Client): Promise<Answer | undefined> =>
      client === other ? client.post(path, sent).catch(() => undefined) : client.post(path, sent)
    try {
      // The one that dies is first at it.
      const first = send(other)
      await until('it has claimed the key', async () => (await claimed(ws.id)) > keysBefore)
      const repeats = Array.from({ length: REPEATS - 1 }, (_, at) => send(at % 2 === 0 ? own : other))
      const answers = await Promise.all([first, ...repeats])
      assert.equal(await child.ended, 'SIGKILL', path)
      assert.equal(answers[0], undefined, `${path}: nobody was answered by the process that died`)
      await advance(31)
      ahead += 31
      const after = await Promise.all(Array.from({ length: REPEATS }, () => send(own)))
      const done = [...answers, ...after].filter((answer) => answer !== undefined && answer.status < 300) as Answer[]
      for (const answer of [...answers, ...after])
        if (answer && answer.status >= 300)
          assert.deepEqual([answer.status, answer.body.code], [409, 'IDEMPOTENCY_KEY_IN_USE'], answer.text)
      done.push(expectStatus(await own.post(path, sent), 201))
      assert.deepEqual([...new Set(done.map(({ text }) => text))], [done[0]?.text], path)
      assert.equal(done.at(-1)?.headers.get('idempotent-replay'), 'true')
      assert.equal(await count(), before + 1, `${path}: one effect`)
    } finally {
      child.end()
    }
  }
}
