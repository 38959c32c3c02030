/** What goes on behind a change of a segment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'

const { ctx, workspace } = await startApp()

test('a deletion that fails leaves the segment with everybody in it', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.a', operator: 'exists' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201).data
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  await sql`create function stop() returns trigger language plpgsql as 'begin raise exception ''stop''; end'`.execute(ctx.db)
  await sql`create trigger stop before delete on segments for each row execute function stop()`.execute(ctx.db)
  expectStatus(await ws.admin.delete(`/segments/${id}`), 500)
  await sql`drop trigger stop on segments`.execute(ctx.db)
  assert.deepEqual(expectStatus(await ws.admin.get(`/segments/${id}/members`), 200).data.userIds, ['U'])
  expectStatus(await ws.admin.delete(`/segments/${id}`), 200)
  const members = () => ctx.db.selectFrom('segment_members').select('profile_id').where('segment_id', '=', id).execute()
  // Begun by the answer, or by this.
  await ctx.due.run('deleted-segments', { isAsked: true, isAwaited: true })
  await until('nobody is a member', async () => (await members()).length === 0)
})

test('Refresh pressed twenty times works the segment out once, and once more for those who came meanwhile', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.a', operator: 'exists' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'S', logicalOperator: 'AND', rules }), 201).data
  const gate = Promise.withResolvers<void>()
  let times = 0
  ctx.faults.watch(async (point) => {
    if (point !== 'segments: claimed') return
    times++
    await gate.promise
  })
  const workOff = ctx.due.workOff
  const everybodyWaits = new Promise<void>((resolve) => {
    let waiting = 0
    ctx.due.workOff = (kind, workspaceId) => {
      if (++waiting === 20) resolve()
      return workOff(kind, workspaceId)
    }
  })
  const pressed = Array.from({ length: 20 }, () => ws.admin.post(`/segments/${id}/refresh`))
  await everybodyWaits
  gate.resolve()
  for (const answer of await Promise.all(pressed)) expectStatus(answer, 202)
  ctx.faults.watch(() => {})
  ctx.due.workOff = workOff
  assert.ok(times >= 1 && times <= 2, `${times} times`)
})
