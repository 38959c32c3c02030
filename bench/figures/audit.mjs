/** What the audit log takes of a save, and checking a log of a million entries against hashing the same rows once. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import pg from 'pg'
import { auditGenesis, auditText } from '../../packages/core/src/audit/entry.ts'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, percent, spread } from '../lib/stats.mjs'

const ENTRIES = 1_000_000
/** A quick run has so many times fewer. */
const QUICK = 20
const RATIO = 1.5
const LEFT = 0.9
const SAVES = 200
const PART = 10_000

export const auditFigures = [
  { name: 'audit-cost', run: measureCost },
  { name: 'audit-verify', run: measureVerify },
]

async function measureCost(options) {
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    await workspace.block('base')
    const { id } = await workspace.instance('base', { values: { '#title': 'text' } })
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const found = []
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const save = await timeOf(SAVES, async (n) => {
        const { status, text } = await workspace.admin.put(`/blocks/base/instances/${id}`, { values: { '#title': `text ${round} ${n}` } })
        assert.equal(status, 200, text)
      })
      const entry = await timeOf(SAVES, () => writeEntry(client, workspace.id))
      const nothing = await timeOf(SAVES, () => inTransaction(client, async () => {}))
      if (round > 0) found.push({ save, entry: entry - nothing })
    }
    await client.end()
    const shares = found.map(({ save, entry }) => 1 - entry / save)
    return [
      {
        name: 'audit-cost',
        what: 'A save of an instance: what is left of its speed with an entry in the audit log',
        target: { least: LEFT },
        value: median(shares),
        spread: spread(shares),
        ours: ms(median(found.map(({ save }) => save))),
        limit: `${ms(median(found.map(({ entry }) => entry)))} of it, the statements of an entry alone (${percent(1 - median(shares))})`,
        made: ['The log cannot be switched off, so its statements are timed by themselves, without the transaction around them.'],
      },
    ]
  })
}

async function timeOf(times, work) {
  const all = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await work(n)
    all.push(performance.now() - began)
  }
  return median(all)
}

async function inTransaction(client, work) {
  await client.query('begin')
  await work()
  await client.query('commit')
}

/** The statements of `infra/audit/queries-audit.ts`. */
function writeEntry(client, workspaceId) {
  return inTransaction(client, async () => {
    const { rows } = await client.query('select seq, hash from audit_heads where workspace_id = $1 for no key update', [workspaceId])
    const [head] = rows
    const [stored] = chain({ seq: Number(head.seq), hash: head.hash }, 1)
    await client.query('insert into audit_entries (workspace_id, seq, entry, prev, hash) values ($1, $2, $3, $4, $5)', [
      workspaceId,
      stored.seq,
      stored.entry,
      stored.prev,
      stored.hash,
    ])
    await client.query('update audit_heads set seq = $2, hash = $3 where workspace_id = $1', [workspaceId, stored.seq, stored.hash])
  })
}

function chain(head, length) {
  let { seq, hash: prev } = head
  return Array.from({ length }, () => {
    seq++
    const entry = auditText({
      seq,
      at: new Date().toISOString(),
      actor: { kind: 'member', id: '01920000-0000-7000-8000-000000000001' },
      action: 'updateSegment',
      object: { kind: 'segment', id: '01920000-0000-7000-8000-000000000002' },
      outcome: 'done',
      before: 'e3b0c44298fc1c149afbf4c8996fb924',
      after: '9f86d081884c7d659a2feaa0c55ad015',
      members: ['rules'],
      requestId: 'a1b2c3d4-7',
      address: '203.0.113.9',
    })
    const own = hash('sha256', Buffer.concat([prev, Buffer.from(entry)]), 'buffer')
    const stored = { seq, entry, prev, hash: own }
    prev = own
    return stored
  })
}

async function measureVerify(options) {
  const entries = options.isQuick ? ENTRIES / QUICK : ENTRIES
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await fill(client, workspace.id, entries)
    const found = []
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const began = performance.now()
      const { rows } = await client.query(
        `select count(sha256(prev || convert_to(entry, 'UTF8'))) as n from audit_entries where workspace_id = $1`,
        [workspace.id],
      )
      const pass = performance.now() - began
      const { status, data, text } = await workspace.admin.get('/audit/verify')
      assert.deepEqual([status, data?.fault, data?.checked], [200, null, Number(rows[0].n)], text)
      if (round > 0) found.push({ pass, ours: data.ms })
    }
    await client.end()
    const ratios = found.map(({ pass, ours }) => ours / pass)
    return [
      {
        name: 'audit-verify',
        what: `Checking an audit log of ${count(entries)} entries: time`,
        target: { most: RATIO },
        value: median(ratios),
        spread: spread(ratios),
        ours: ms(median(found.map(({ ours }) => ours))),
        limit: `${ms(median(found.map(({ pass }) => pass)))}, one parallel sha256 pass over the same rows`,
        made: ['Every hash, every link, both ends and the checkpoints.'],
      },
    ]
  })
}

/** In place of what opening the workspace left. */
async function fill(client, workspaceId, entries) {
  await client.query('delete from audit_entries where workspace_id = $1', [workspaceId])
  let head = { seq: 0, hash: hash('sha256', auditGenesis(workspaceId), 'buffer') }
  for (let made = 0; made < entries; made += PART) {
    const part = chain(head, Math.min(PART, entries - made))
    await client.query(
      `insert into audit_entries (workspace_id, seq, entry, prev, hash)
       select $1, * from unnest($2::bigint[], $3::text[], $4::bytea[], $5::bytea[])`,
      [workspaceId, part.map(({ seq }) => seq), part.map(({ entry }) => entry), part.map(({ prev }) => prev), part.map((row) => row.hash)],
    )
    head = part.at(-1)
  }
  await client.query('update audit_heads set seq = $2, hash = $3 where workspace_id = $1', [workspaceId, head.seq, head.hash])
  await client.query('vacuum analyze audit_entries')
}
