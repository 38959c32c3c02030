/** Loads of the same people beside each other: no deadlock is answered, and what holds in the end is what the loads that stand say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { rankValues, type LoadedValue } from '@contentflow/core/imports/rank-values.ts'
import { expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { commit, ready, upload } from '../../../test/builders/imports.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { findPriorities } from './queries-priorities.ts'

const { workspace, ctx } = await startApp()

const SOURCES = ['crm_webhook', 'erp_sync', 'csv_upload', 'loyalty_api', 'manual_api']
const PEOPLE = Array.from({ length: 12 }, (_, index) => `U${index}`)

/** What is stored as holding, beside what every kept record says, ranked by core. */
async function compareWithModel(ws: Workspace): Promise<void> {
  const priorities = await findPriorities(ctx.db, ws.id)
  const people = await ctx.db.selectFrom('profiles').select(['id', 'user_id', 'enrichment']).where('workspace_id', '=', ws.id).execute()
  for (const { id, user_id, enrichment } of people) {
    const { rows } = await sql<LoadedValue & { value: unknown }>`
      select e.name, e.value, v.source, v.upload_id, v.loaded_at, v.expires_at from enrichment_values v, jsonb_each(v.values) as e (name, value)
      where v.workspace_id = ${ws.id} and v.profile_id = ${id}`.execute(ctx.db)
    const holding = rankValues(rows, priorities, ctx.clock.now()).filter(({ standing }) => standing === 'holds')
    assert.deepEqual(enrichment, Object.fromEntries(holding.map(({ value: { name, value } }) => [name, value])), user_id ?? id)
  }
}

test('imports, uploads, roll backs, changes of the ranking and identifies of the same people, all at once', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: PEOPLE.map((userId) => ({ userId })) }), 200)
  const rules = [{ field: 'enrichment.a', operator: 'exists' }]
  expectStatus(await ws.admin.post('/segments', { name: 'A', logicalOperator: 'AND', rules }), 201)
  const undone: string[] = []
  for (let round = 0; round < 6; round++) {
    const imports = await Promise.all(
      ['x', 'y'].map((text) =>
        ready(
          ws.admin,
          PEOPLE.map((id) => [id, `${text}${round}`]),
        ),
      ),
    )
    const records = PEOPLE.toReversed().map((userId) => ({ userId, attributes: { a: `u${round}`, b: round } }))
    const answers = await Promise.all<Answer | object>([
      ...imports.map(async (id) => commit(ws.admin, id)),
      upload(ws.admin, records, { source: SOURCES[round % SOURCES.length] }),
      upload(ws.admin, records, { source: SOURCES[(round + 2) % SOURCES.length] }),
      ...undone.splice(0).map(async (id) => expectStatus(await ws.admin.delete(`/enrichment/uploads/${id}`), 200)),
      ws.admin.put('/enrichment/source-priorities', { priorities: { csv_upload: round * 25 } }),
      ...PEOPLE.map(async (userId, index) => identify(ws.app, `D${index}`, userId, { email: `${userId}@x.io` })),
    ])
    for (const answer of answers) if ('status' in answer && typeof answer.status === 'number') assert.ok(answer.status < 300)
    undone.push(...imports.slice(0, 1))
  }
  for (const kind of ['imports', 'uploads', 'enrichment-priorities']) await ctx.due.workOff(kind, ws.id)
  await compareWithModel(ws)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from enrichment_values where workspace_id = ${ws.id}`.execute(ctx.db)
  // Of each round two uploads and one import stand; the last round's first import was not taken back.
  assert.equal(rows[0]?.count, PEOPLE.length * (6 * 3 + 1))
})

test('whoever becomes somebody while a file is loaded keeps what it says of them', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', undefined, { email: 'sara@x.io' })
  const id = await ready(ws.admin, [['sara@x.io', 'gold']], { type: 'email' })
  await identify(ws.app, 'D', 'sara')
  assert.equal((await commit(ws.admin, id)).status, 'committed')
  const { values } = expectStatus(await ws.admin.get('/users/sara/enrichment'), 200).data
  assert.deepEqual(
    values.map(({ value, standing }: any) => [value, standing]),
    [['gold', 'holds']],
  )
  await compareWithModel(ws)
})
