/** The mechanism, on a table of its own: rows that are claimed, worked and finished once, whoever fails, sleeps or floods. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { oneByOne, openDue, type Batch, type Due } from './due.ts'
import { dueTable, type DueRow } from './queries-due.ts'
import { currentRequestId, inRequest } from '../request-scope.ts'

const { ctx } = await startApp()
await sql`create table chores (workspace_id text, id text, due_at timestamptz, lease uuid, lease_until timestamptz,
  attempts integer not null default 0, done integer not null default 0, primary key (workspace_id, id))`.execute(ctx.db)
type Does = (row: DueRow, batch: Batch<DueRow>) => Promise<void> | void
const worked: string[] = []
let does: Does = () => {}
/** Of the process, and of a second one on the same database. */
const [due, second] = [register(ctx.due), register(openDue(ctx))]

function register(on: Due): Due {
  const table = dueTable<DueRow>(ctx.db, 'chores')
  const work = oneByOne<DueRow>(ctx, { kind: 'chores', table, backOff: { first: 60_000, most: 60_000 } }, async (row, batch) => {
    worked.push(`${batch.workspaceId} ${row.id}`)
    await does(row, batch)
    await sql`update chores set done = done + 1 where workspace_id = ${batch.workspaceId} and id = ${row.id}`.execute(ctx.db)
    return null
  })
  on.register({ kind: 'chores', rows: table, most: 4, work })
  return on
}

beforeEach(async () => {
  worked.length = 0
  does = () => {}
  await sql`delete from chores`.execute(ctx.db)
})

const add = async (workspaceId: string, ids: readonly string[], dueAt = new Date(ctx.clock.ms() - 1_000)) => {
  await sql`insert into chores (workspace_id, id, due_at) select ${workspaceId}, id, ${dueAt} from unnest(${[...ids]}::text[]) as id`.execute(
    ctx.db,
  )
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `c${String(i).padStart(4, '0')}`)
const rowsOf = async (where = sql`true`) => {
  const { rows } = await sql<{ id: string; done: number; attempts: number; dueAt: Date | null; lease: string | null }>`
    select id, done, attempts, due_at as "dueAt", lease from chores where ${where} order by workspace_id, id`.execute(ctx.db)
  return rows
}
const pass = (on = due) => on.run('chores', { isAsked: true, isAwaited: true })

test('G-89 rows are worked in the order in which they are due, and of one moment in that of their ids', async () => {
  const ago = (seconds: number) => new Date(ctx.clock.ms() - seconds * 1_000)
  await add('w1', ['d', 'c'], ago(10))
  await add('w1', ['b'], ago(20))
  await add('w1', ['a'], ago(5))
  await add('w1', ['e'], ago(30))
  await pass()
  assert.deepEqual(worked, ['w1 e', 'w1 b', 'w1 c', 'w1 d', 'w1 a'])
})

test('what is due is done once and what is not due is left', async () => {
  await add('w1', numbers(30))
  await add('w1', ['later'], new Date(ctx.clock.ms() + 60_000))
  await pass()
  const rows = await rowsOf()
  assert.deepEqual(new Set(rows.map(({ done, lease }) => `${done} ${lease}`)), new Set(['1 null', '0 null']))
  assert.equal(rows.find(({ id }) => id === 'later')?.done, 0)
  assert.equal(worked.length, 30)
})

test('a row that fails does not stop its batch, and comes back later and later', async () => {
  await add('w1', numbers(6))
  does = ({ id }) => {
    if (id === 'c0002') throw new Error('no')
  }
  await pass()
  const rows = await rowsOf()
  assert.deepEqual(
    rows.map(({ done }) => done),
    [1, 1, 0, 1, 1, 1],
  )
  assert.deepEqual([rows[2]?.attempts, rows[2]?.lease], [1, null])
  const wait = (rows[2]?.dueAt?.getTime() ?? 0) - ctx.clock.ms()
  assert.ok(wait > 30_000 && wait <= 60_000, String(wait))
})

test('one workspace with thousands due keeps no other waiting: everybody has a batch before anybody has a second', async () => {
  const process = register(openDue(ctx))
  await add('flood', numbers(2_000), new Date(ctx.clock.ms() - 3_600_000))
  for (const id of ['small1', 'small2']) await add(id, ['only'])
  let stopped: Promise<void> | undefined
  does = () => {
    if (worked.length === 20) stopped = process.stop()
  }
  await pass(process)
  await stopped
  assert.ok(worked.includes('small1 only') && worked.includes('small2 only'), worked.join())
})

test('a workspace that comes while another is flooded has its turn after the batch that is under way', async () => {
  await add('flood', numbers(100))
  does = async () => {
    if (worked.length !== 1) return
    await add('urgent', ['now'])
    due.nudge('chores', 'urgent')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await pass()
  // The rows that were held already, and perhaps the next batch of the flood.
  assert.ok(worked.indexOf('urgent now') <= 12, String(worked.indexOf('urgent now')))
  assert.equal(worked.length, 101)
})

test('what becomes due while it is worked on is done once more, however often it is asked for', async () => {
  await add('w1', ['a'])
  const asked: Promise<boolean>[] = []
  does = async () => {
    if (worked.length > 1) return
    await sql`update chores set due_at = ${ctx.clock.now()}`.execute(ctx.db)
    for (let i = 0; i < 20; i++) asked.push(due.workOff('chores', 'w1'))
  }
  await pass()
  await Promise.all(asked)
  assert.deepEqual(
    (await rowsOf()).map(({ done, dueAt }) => [done, dueAt]),
    [[2, null]],
  )
})

test('a lease that ended is another’s: who slept past it writes nothing', async () => {
  await add('w1', ['a'])
  const asleep = Promise.withResolvers<void>()
  const table = dueTable<DueRow>(ctx.db, 'chores')
  const now = ctx.clock.now()
  const soon = new Date(now.getTime() + 1)
  const claim = { workspaceId: 'w1', now, dueBy: now, limit: 5 }
  const [slept] = await table.claim({ ...claim, token: '00000000-0000-4000-8000-000000000001', until: soon })
  assert.ok(slept)
  assert.deepEqual(await table.claim({ ...claim, token: '00000000-0000-4000-8000-000000000002', until: soon }), [], 'it is held')
  does = () => asleep.promise
  while (ctx.clock.ms() <= soon.getTime()) await new Promise(setImmediate)
  const done = pass()
  while (worked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const outcome = { dueAt: null, isDone: true }
  assert.equal(await table.finish({ workspaceId: 'w1', token: '00000000-0000-4000-8000-000000000001' }, slept, outcome), false)
  asleep.resolve()
  await done
  assert.deepEqual(
    (await rowsOf()).map(({ done: times, dueAt, lease }) => [times, dueAt, lease]),
    [[1, null, null]],
  )
})

test('two processes share the work and do none of it twice', async () => {
  for (const id of ['w1', 'w2', 'w3']) await add(id, numbers(50))
  await Promise.all([pass(), pass(second), pass(), pass(second)])
  const rows = await rowsOf()
  assert.equal(rows.length, 150)
  assert.ok(rows.every(({ done, lease }) => done === 1 && lease === null))
})

test('a process that stops finishes the row at hand, hands back the others, and takes nothing new', async () => {
  const stopping = register(openDue(ctx))
  await add('w1', numbers(4))
  await add('w2', ['x'])
  const row = Promise.withResolvers<void>()
  does = () => row.promise
  const passed = pass(stopping)
  while (worked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const stopped = stopping.stop()
  row.resolve()
  await stopped
  await passed
  const rows = await rowsOf()
  assert.equal(rows.filter(({ done }) => done === 1).length, 1)
  assert.ok(rows.every(({ lease, attempts }) => lease === null && attempts === 0))
  assert.ok(rows.every(({ done, dueAt }) => done === 1 || (dueAt && dueAt.getTime() <= ctx.clock.ms())))
  does = () => {}
  await pass()
  assert.ok((await rowsOf()).every(({ done }) => done === 1))
})

test('a stop waits for what goes on behind an answer', async () => {
  const process = openDue(ctx)
  const work = Promise.withResolvers<void>()
  process.behind(work.promise)
  assert.equal(process.countBehind(), 1)
  let isStopped = false
  const stopped = process.stop().then(() => (isStopped = true))
  await new Promise(setImmediate)
  assert.deepEqual([isStopped, process.countBehind()], [false, Infinity])
  work.resolve()
  await stopped
})

test('what waits is counted with the age of the oldest; what is worked on and what failed is added up', async () => {
  await add('w1', ['c1', 'c2'], new Date(ctx.clock.ms() - 90_000))
  await add('w2', ['c3'])
  await add('w2', ['later'], new Date(ctx.clock.ms() + 60_000))
  const read = async (series: string) =>
    Number(new RegExp(`^contentflow_${series}\\{kind="chores"\\} (\\S+)$`, 'm').exec(await ctx.metrics.registry.metrics())?.[1] ?? 0)
  await due.lookAtBacklog()
  const oldest = await read('due_oldest_seconds')
  assert.deepEqual([await read('due_rows'), oldest >= 90 && oldest < 600], [3, true])
  const [workedBefore, failedBefore] = [await read('due_worked_total'), await read('due_failures_total')]
  does = ({ id }) => {
    if (id === 'c2') throw new Error('no')
  }
  await pass()
  await due.lookAtBacklog()
  assert.deepEqual([await read('due_rows'), await read('due_oldest_seconds')], [0, 0])
  assert.deepEqual([(await read('due_worked_total')) - workedBefore, (await read('due_failures_total')) - failedBefore], [3, 1])
})

test('due work knows the request that set it off, and only that one', async () => {
  const ids = new Map<string, string | undefined>()
  does = ({ id }) => void ids.set(id, currentRequestId())
  await add('w1', ['a'])
  inRequest('r-1', () => due.nudge('chores', 'w1'))
  await until('it is done', async () => ids.has('a'))
  await add('w2', ['b'])
  await inRequest('r-2', () => ctx.change({ workspaceId: 'w2', actor: 'somebody' }, async (change) => change.nudge('chores')))
  await until('it is done', async () => ids.has('b'))
  await add('w3', ['c'])
  await pass()
  assert.deepEqual(
    [...ids],
    [
      ['a', 'r-1'],
      ['b', 'r-2'],
      ['c', undefined],
    ],
  )
})
