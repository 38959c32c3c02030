/** Whatever is done to a log in its table is named, however it is done; so is a log that was cut or made anew, by what was signed. */
import assert from 'node:assert/strict'
import { createPublicKey, hash, verify } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditText, type SignedCheckpoint } from '@contentflow/core/audit/entry.ts'
import { ExportVerifier, type AuditCrypto } from '@contentflow/core/audit/verify-export.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, url, workspace, anyone, advance } = await startApp()

const DAY = 86_400
const check = async (ws: Workspace) => expectStatus(await ws.admin.get('/audit/verify'), 200).data
const rename = async (ws: Workspace, times: number) => {
  for (let time = 0; time < times; time++) expectStatus(await ws.admin.put('/workspaces/current', { name: `N${time}` }), 200)
}
const signIt = () => advance(3_700)

type Row = { seq: number; entry: string; prev: Buffer; hash: Buffer }
const rowsOf = async ({ id }: Workspace): Promise<Row[]> => {
  const { rows } = await sql<Row>`select seq, entry, prev, hash from audit_entries where workspace_id = ${id} order by seq`.execute(ctx.db)
  return rows
}
const rewrite = async ({ id }: Workspace, rows: readonly Row[]) => {
  await sql`delete from audit_entries where workspace_id = ${id}`.execute(ctx.db)
  for (const { seq, entry, prev, hash: own } of rows)
    await sql`insert into audit_entries (workspace_id, seq, entry, prev, hash) values (${id}, ${seq}, ${entry}, ${prev}, ${own})`.execute(
      ctx.db,
    )
}
/** All hashes from `from` on made anew, as whoever owns the database could. */
const rechain = (rows: readonly Row[], from: number): Row[] => {
  let prev = rows[from]!.prev
  return rows.map((row, at) => {
    if (at < from) return row
    const seq = rows[0]!.seq + at
    const entry = auditText({ ...JSON.parse(row.entry), seq })
    const own = hash('sha256', Buffer.concat([prev, Buffer.from(entry)]), 'buffer')
    const next = { seq, entry, prev, hash: own }
    prev = own
    return next
  })
}
const say = (row: Row, action: string): Row => ({ ...row, entry: auditText({ ...JSON.parse(row.entry), action }) })

const ATTACKS: { what: string; kind: string; at: number; work(rows: Row[]): Row[]; head?: boolean }[] = [
  { what: 'an entry says something else', kind: 'changed', at: 5, work: (rows) => rows.with(4, say(rows[4]!, 'other')) },
  {
    what: 'it has the hash for it too',
    kind: 'reordered',
    at: 6,
    work: (rows) => [...rows.slice(0, 4), rechain([...rows.slice(0, 4), say(rows[4]!, 'other')], 4)[4]!, ...rows.slice(5)],
  },
  { what: 'one is missing', kind: 'missing', at: 5, work: (rows) => rows.toSpliced(4, 1) },
  { what: 'the first is missing', kind: 'missing', at: 1, work: (rows) => rows.slice(1) },
  {
    what: 'two changed places',
    kind: 'reordered',
    at: 5,
    work: (rows) => rows.with(4, { ...rows[5]!, seq: 5 }).with(5, { ...rows[4]!, seq: 6 }),
  },
  { what: 'the end is cut off', kind: 'truncated', at: 9, work: (rows) => rows.slice(0, 8) },
  {
    what: 'one is put in, and all behind it are bound anew',
    kind: 'checkpoint',
    at: 12,
    work: (rows) => rechain([...rows.slice(0, 4), say(rows[4]!, 'other'), ...rows.slice(4)], 4),
    head: true,
  },
  {
    what: 'all of it is made anew, with its head',
    kind: 'checkpoint',
    at: 12,
    work: (rows) => rechain(rows.with(2, say(rows[2]!, 'other')), 2),
    head: true,
  },
  { what: 'the end is cut off with its head', kind: 'truncated', at: 12, work: (rows) => rows.slice(0, 8), head: true },
]

for (const { what, kind, at, work, head } of ATTACKS)
  test(`the check names the first entry that is not as it was written: ${what}`, async () => {
    const ws = await workspace()
    await rename(ws, 12 - (await rowsOf(ws)).length)
    await signIt()
    assert.deepEqual({ ...(await check(ws)), ms: 0 }, { checked: 12, fault: null, ms: 0 })
    const changed = work(await rowsOf(ws))
    await rewrite(ws, changed)
    const { seq, hash: own } = changed.at(-1)!
    if (head) await ctx.db.updateTable('audit_heads').set({ seq, hash: own }).where('workspace_id', '=', ws.id).execute()
    assert.deepEqual((await check(ws)).fault, { seq: at, kind })
    const { lastCheck } = expectStatus(await ws.admin.get('/settings/audit'), 200).data
    assert.deepEqual(lastCheck.fault, { seq: at, kind })
  })

const crypto: AuditCrypto = {
  sha256: (text, prev) => hash('sha256', Buffer.concat([Buffer.from(prev ?? '', 'hex'), Buffer.from(text)]), 'hex'),
  verify: ({ text, publicKey, signature }) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    ),
}
const exportOf = async (ws: Workspace): Promise<string[]> => (await ws.admin.get('/audit/export')).text.trimEnd().split('\n')
const judge = (lines: readonly string[], held?: SignedCheckpoint) => {
  const verifier = new ExportVerifier(crypto, held)
  for (const line of lines) assert.ok(verifier.take(line), line)
  return verifier.finish()
}

test('an export holds every entry and ends with a checkpoint that is signed; an earlier one holds of it', async () => {
  const ws = await workspace()
  await rename(ws, 3)
  const before = await exportOf(ws)
  await rename(ws, 600)
  const after = await exportOf(ws)
  const rows = await rowsOf(ws)
  assert.equal(after.length, rows.length + 1)
  const held = JSON.parse(before.at(-1)!) as SignedCheckpoint
  const verdict = judge(after, held)
  assert.deepEqual([verdict.checked, verdict.first, verdict.last, verdict.fault], [rows.length, 1, rows.length, null])
  assert.equal(judge(after.toSpliced(50, 1), held).fault?.seq, 51)
  const { text } = await (await workspace()).admin.get('/audit/export')
  assert.equal(judge(text.trimEnd().split('\n')).fault, null)
})

test('what is older than it is kept goes in whole checkpoints, and what is left can still be checked', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  // A session does not last so long; each sign-in is an entry too.
  const signedIn = async (): Promise<Workspace> => {
    const { token } = expectStatus(await anyone.post('/api/v1/auth/login', { email, password: PASSWORD }), 200).data
    return { ...ws, admin: clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }) }
  }
  expectStatus(await ws.admin.put('/settings/audit', { retentionDays: 90 }), 200)
  await rename(ws, 5)
  await signIt()
  const first = (await rowsOf(ws)).length
  await advance(60 * DAY)
  await rename(await signedIn(), 4)
  await signIt()
  await advance(31 * DAY)
  const kept = (await rowsOf(ws)).map(({ seq }) => seq)
  assert.deepEqual(
    kept,
    [1, 2, 3, 4, 5].map((index) => first + index),
  )
  const later = await signedIn()
  assert.deepEqual({ ...(await check(later)), ms: 0 }, { checked: 6, fault: null, ms: 0 })
  assert.deepEqual([judge(await exportOf(later)).fault, (await later.admin.get('/settings/audit')).data.entries], [null, 6])
  expectStatus(await later.admin.put('/settings/audit', { retentionDays: 3_650 }), 200)
  await advance(300 * DAY)
  assert.equal((await rowsOf(ws)).length, 7)
})
