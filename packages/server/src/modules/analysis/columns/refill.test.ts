/** A property that becomes a dimension or measure is filled in of the past 30 days, behind the answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeColumns } from '@contentflow/core/analysis/columns.ts'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../../test/builders/events.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const started = await startApp()
const { ctx, operator, advance } = started
const DAY = 86_400

const ask = async (admin: Client, body: object) => expectStatus(await admin.post('/analysis/explore', body), 200).data
const filledFrom = async (admin: Client) => {
  const { properties } = expectStatus(await admin.get('/event-types/buy'), 200).data
  return new Map(properties.map((one: { name: string; filledFrom: string | null }) => [one.name, one.filledFrom]))
}

/** Everybody's events by type and time, whatever is known of them besides. */
async function eventsIn(workspaceId: string): Promise<string[]> {
  const rows = await ctx.db.selectFrom('event_columns').selectAll().where('workspace_id', '=', workspaceId).execute()
  const events = rows.flatMap(({ body, meta, part, day, type_id: type }) => {
    const { people, starts, keys } = decodeColumns(body, meta as never)
    return [...people].flatMap((local, index) =>
      Array.from(keys.slice(starts[index], starts[index + 1]), (key) => `${day} ${type} ${local * 16 + part} ${key}`),
    )
  })
  return events.sort()
}

async function threeDays() {
  const ws = await workspaceOverTime(started)
  for (let day = 0; day < 3; day++) {
    for (let person = 0; person < 5; person++) {
      await identify(ws.app, `D${person}`, `U${person}`)
      const properties = { plan: person % 2 === 0 ? 'pro' : '__proto__', total: 10 * (day + 1) }
      await track(ws.app, `D${person}`, [{ type: 'view' }, { type: 'buy', properties }, { type: 'view' }, { type: 'buy', properties }])
    }
    await rollUp(operator)
    await advance(DAY)
  }
  ws.admin = await ws.signIn()
  return ws
}
const declare = async (admin: Client, properties: object) => expectStatus(await admin.put('/event-types/buy', { properties }), 200)
const USED = { plan: { kind: 'string', use: 'dimension' }, total: { kind: 'integer', use: 'measure' } }
const totals = async (admin: Client) => {
  const { series } = await ask(admin, { types: ['buy'], days: 5, by: 'properties.plan', metric: 'sum', measure: 'properties.total' })
  return series.map(({ value, total }: { value: unknown; total: number }) => [value, total])
}
const ALL = [
  ['pro', 3 * 2 * 60],
  ['__proto__', 2 * 2 * 60],
]

test('what was sent before it was declared is in reports, events are as they were, and the page says since when', async () => {
  const ws = await threeDays()
  const before = await eventsIn(ws.id)
  await declare(ws.admin, USED)
  await rollUp(operator)
  assert.deepEqual(await totals(ws.admin), ALL)
  assert.deepEqual(await eventsIn(ws.id), before)
  const month = new Date(ctx.clock.ms() - 30 * DAY * 1000).toISOString().slice(0, 10)
  assert.deepEqual(
    await filledFrom(ws.admin),
    new Map([
      ['plan', month],
      ['total', month],
    ]),
  )
  // Days that are over become one row again, and what is no dimension any more has no date.
  await advance(2 * 3_600)
  await rollUp(operator)
  assert.deepEqual([await totals(ws.admin), await eventsIn(ws.id)], [ALL, before])
  await declare(ws.admin, { plan: { kind: 'string' } })
  assert.equal((await filledFrom(ws.admin)).get('plan'), null)
})

test('a process that dies halfway leaves the rest to the next one, newest days first', async () => {
  const ws = await threeDays()
  const before = await eventsIn(ws.id)
  let steps = 0
  ctx.faults.watch((point) => {
    if (point === 'refill: filled' && ++steps > 2) throw new Error('it dies')
  })
  await declare(ws.admin, USED)
  await operator.post('/test-hooks/jobs', { job: 'rollup' })
  assert.ok(steps > 2, 'it began')
  ctx.faults.watch(() => {})
  // Rows of a day are not made one before all have the property.
  await advance(2 * 3_600)
  await rollUp(operator)
  await rollUp(operator)
  assert.deepEqual([await totals(ws.admin), await eventsIn(ws.id)], [ALL, before])
  assert.notEqual((await filledFrom(ws.admin)).get('total'), null)
})
