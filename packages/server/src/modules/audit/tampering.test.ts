/**
 * Tampering somewhere in a long log is named by the check, wherever it is: `CF_AUDIT_ROWS` says how long, such as 1000000. The
 * entries are made here as the server would, because a million requests take hours.
 */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditText } from '@contentflow/core/audit/entry.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { drawsFrom } from '../../../test/harness/draws.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace, operator } = await startApp()

const ROWS = Number(process.env['CF_AUDIT_ROWS'] ?? 20_000)
const AT_ONCE = 5_000
const check = async (ws: Workspace) => expectStatus(await ws.admin.get('/audit/verify'), 200).data
const next = drawsFrom(77)

/** As long as those that people leave. */
const ENTRY = {
  action: 'updateSegment',
  outcome: 'done',
  actor: { kind: 'member', id: '0192f0c1-aaaa-7bbb-8ccc-0123456789ab' },
  object: { kind: 'segment', id: '0192f0c1-aaaa-7bbb-8ccc-0123456789ac' },
  before: '9f86d081884c7d659a2feaa0c55ad015',
  after: 'e3b0c44298fc1c149afbf4c8996fb924',
  members: ['name', 'rules'],
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  session: 'deadbeef',
} as const

type Row = { seq: number; entry: string; prev: Buffer; hash: Buffer }

/** Goes on with the chain to so many entries, and has its end signed. */
async function fill({ id }: Workspace, rows: number): Promise<void> {
  const head = await ctx.db.selectFrom('audit_heads').select(['seq', 'hash']).where('workspace_id', '=', id).executeTakeFirstOrThrow()
  let { seq, hash: prev } = head
  while (seq < rows) {
    const part: Row[] = []
    while (part.length < AT_ONCE && seq < rows) {
      seq++
      const entry = auditText({ ...ENTRY, seq, at: new Date(1.8e12 + seq * 1_000).toISOString(), requestId: `a1b2c3d4-${seq}` })
      const own = hash('sha256', Buffer.concat([prev, Buffer.from(entry)]), 'buffer')
      part.push({ seq, entry, prev, hash: own })
      prev = own
    }
    await insert(id, part)
  }
  await ctx.db
    .updateTable('audit_heads')
    .set({ seq, hash: prev, checkpoint_due_at: ctx.clock.now() })
    .where('workspace_id', '=', id)
    .execute()
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'audit' }), 200)
}

async function insert(id: string, rows: readonly Row[]): Promise<void> {
  const column = <Name extends keyof Row>(name: Name) => rows.map((row) => row[name])
  const hex = (name: 'hash' | 'prev') => rows.map((row) => row[name].toString('hex'))
  await sql`
    insert into audit_entries (workspace_id, seq, entry, prev, hash)
    select ${id}, seq, entry, decode(prev, 'hex'), decode(hash, 'hex')
    from unnest(${column('seq')}::bigint[], ${column('entry')}::text[], ${hex('prev')}::text[], ${hex('hash')}::text[])
      as r (seq, entry, prev, hash)`.execute(ctx.db)
}

async function rowAt(id: string, seq: number): Promise<Row> {
  const { rows } = await sql<Row>`select seq, entry, prev, hash from audit_entries where workspace_id = ${id} and seq = ${seq}`.execute(
    ctx.db,
  )
  return rows[0] ?? assert.fail(String(seq))
}
const remove = (id: string, from: number, to = from) =>
  sql`delete from audit_entries where workspace_id = ${id} and seq between ${from} and ${to}`.execute(ctx.db)
const put = async (id: string, ...rows: Row[]) => {
  for (const { seq } of rows) await remove(id, seq)
  await insert(id, rows)
}
/** By two moves, so that no number is there twice in between. */
async function shift(id: string, from: number, by: number): Promise<void> {
  await sql`update audit_entries set seq = -(seq + ${by}::bigint) where workspace_id = ${id} and seq >= ${from}`.execute(ctx.db)
  await sql`update audit_entries set seq = -seq where workspace_id = ${id} and seq < 0`.execute(ctx.db)
}

/** What is done near `seq`, what the check says of it, and how it is undone. */
type Tampering = { what: string; fault(seq: number): object; work(id: string, seq: number): Promise<() => Promise<unknown>> }
const TAMPERINGS: Tampering[] = [
  {
    what: 'one is changed',
    fault: (seq) => ({ seq, kind: 'changed' }),
    work: async (id, seq) => {
      const row = await rowAt(id, seq)
      await put(id, { ...row, entry: row.entry.replace('updateSegment', 'deleteSegment') })
      return () => put(id, row)
    },
  },
  {
    what: 'one is missing',
    fault: (seq) => ({ seq, kind: 'missing' }),
    work: async (id, seq) => {
      const row = await rowAt(id, seq)
      await remove(id, seq)
      return () => insert(id, [row])
    },
  },
  {
    what: 'two changed places',
    fault: (seq) => ({ seq, kind: 'reordered' }),
    work: async (id, seq) => {
      const [one, other] = [await rowAt(id, seq), await rowAt(id, seq + 1)]
      await put(id, { ...other, seq }, { ...one, seq: seq + 1 })
      return () => put(id, one, other)
    },
  },
  {
    what: 'one is put in',
    fault: (seq) => ({ seq: seq + 1, kind: 'reordered' }),
    work: async (id, seq) => {
      const row = await rowAt(id, seq)
      await shift(id, seq + 1, 1)
      await insert(id, [{ ...row, seq: seq + 1 }])
      return async () => {
        await remove(id, seq + 1)
        await shift(id, seq + 2, -1)
      }
    },
  },
  {
    what: 'the end is cut off',
    fault: (seq) => ({ seq, kind: 'truncated' }),
    work: async (id, seq) => {
      const { rows } = await sql<Row>`
        select seq, entry, prev, hash from audit_entries where workspace_id = ${id} and seq >= ${seq} order by seq`.execute(ctx.db)
      await remove(id, seq, ROWS)
      return () => insert(id, rows)
    },
  },
]

test(`of ${ROWS} entries the check names the one that was tampered with, whatever was done to it`, async (t) => {
  const ws = await workspace()
  await fill(ws, ROWS)
  const { ms, ...clean } = await check(ws)
  assert.deepEqual(clean, { checked: ROWS, fault: null })
  t.diagnostic(`${ROWS} entries in ${ms} ms`)
  for (const { what, fault, work } of TAMPERINGS) {
    // Putting in and cutting off move what stands behind: near the end, so that this test does not wait for that.
    const seq = /put in|cut off/.test(what) ? ROWS - Math.floor(next() * 500) - 5 : Math.floor(next() * (ROWS - 10)) + 5
    const undo = await work(ws.id, seq)
    const found = await check(ws)
    assert.deepEqual(found.fault, fault(seq), `${what} at ${seq}`)
    t.diagnostic(`${what} at ${seq}: ${JSON.stringify(found.fault)} in ${found.ms} ms`)
    await undo()
    assert.deepEqual((await check(ws)).fault, null, `${what}: undone`)
  }
})
