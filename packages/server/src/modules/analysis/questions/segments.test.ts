/** Questions by segment, and the people of a workspace read in pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { PARTS } from '../columns/make-rows.ts'
import { PeopleOfPart } from './people-of-part.ts'

const { workspace, ctx, operator } = await startApp()

const ask = async ({ admin }: { admin: Client }, kind: string, body: object) =>
  expectStatus(await admin.post(`/analysis/${kind}`, body), 200).data
const segment = async (admin: Client, name: string, rules: object[]): Promise<string> =>
  expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data.id
const trait = (name: string, value: string) => ({ field: `customAttributes.${name}`, operator: 'equals', value })
type Line = { value: string | null; name?: string; isOther: boolean; values: number[]; total: number; people: number[] }

test('people are told apart by their segments of now: who is in several counts in each, and who is in none apart', async () => {
  const ws = await workspace()
  const traits = [{ plan: 'pro', city: 'Riyadh' }, { plan: 'pro' }, { city: 'Riyadh' }, {}]
  for (const [index, mine] of traits.entries()) {
    await identify(ws.app, `D${index}`, `U${index}`, { traits: mine })
    await track(ws.app, `D${index}`, [{ type: 'view', value: 10 }, ...(index < 2 ? [{ type: 'buy' }] : []), { type: 'view', value: 1 }])
  }
  const pro = await segment(ws.admin, 'Pro', [trait('plan', 'pro')])
  const riyadh = await segment(ws.admin, 'Riyadh', [trait('city', 'Riyadh')])
  await segment(ws.admin, 'Nobody', [trait('plan', 'none')])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
  await rollUp(operator)
  const funnel = await ask(ws, 'funnel', { steps: [{ type: 'view' }, { type: 'buy' }], by: 'segment' })
  assert.deepEqual(
    funnel.groups.map(({ value, name, isOther, people }: Line) => [value, name, isOther, people]),
    [
      [pro, 'Pro', false, [2, 2]],
      [riyadh, 'Riyadh', false, [2, 1]],
      [null, undefined, false, [1, 0]],
    ],
  )
  assert.deepEqual([funnel.steps.map((step: { people: number }) => step.people), typeof funnel.membersAsOf], [[4, 2], 'string'])
  const totals = async (body: object) =>
    (await ask(ws, 'explore', { types: ['view'], days: 1, by: 'segment', ...body })).series.map(({ name, total }: Line) => [name, total])
  const each = (inPro: number, inRiyadh: number, inNone: number) => [
    ['Pro', inPro],
    ['Riyadh', inRiyadh],
    [undefined, inNone],
  ]
  assert.deepEqual(await totals({ metric: 'people' }), each(2, 2, 1))
  assert.deepEqual(await totals({ metric: 'events' }), each(4, 4, 2))
  assert.deepEqual(await totals({ metric: 'sum', measure: 'value' }), each(22, 22, 11))
  // Together with a segment, those of its members.
  assert.deepEqual(await totals({ metric: 'people', segment: riyadh }), each(1, 2, 0).slice(0, 2))
  const file = await ws.admin.post(
    '/analysis/funnel',
    { steps: [{ type: 'view' }, { type: 'buy' }], by: 'segment' },
    { headers: { accept: 'text/csv' } },
  )
  assert.match(file.text, /median seconds,Pro,Riyadh,\r\n/)
  const plain = await ask(ws, 'funnel', { steps: [{ type: 'view' }, { type: 'buy' }] })
  assert.equal(plain.membersAsOf, undefined)
  const refused = await ws.admin.post('/analysis/explore', { types: ['view'], metric: 'sum', measure: 'segment' })
  assert.deepEqual([refused.status, refused.body.error], [400, 'measure must be platform, value or properties.<name>'])
})

test('viewers are told nothing of segments of industry data, and segments beyond the twenty largest are one group', async () => {
  const ws = await workspace()
  for (let index = 0; index < 22; index++) await segment(ws.admin, `S${String(index).padStart(2, '0')}`, [trait('n', String(index))])
  await segment(ws.admin, 'Ill', [{ field: 'industryProfile.healthcare.diagnosis', operator: 'not_equals', value: 'flu' }])
  await identify(ws.app, 'D', 'U', { traits: { n: '21' } })
  await identify(ws.app, 'E', 'V')
  for (const device of ['D', 'E']) await track(ws.app, device, [{ type: 'view' }])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
  await rollUp(operator)
  const body = { types: ['view'], days: 1, metric: 'people', by: 'segment' }
  const told = async (client: Client) =>
    expectStatus(await client.post('/analysis/explore', body), 200).data.series.map(({ name, isOther, total }: Line) => [
      name,
      isOther,
      total,
    ])
  assert.deepEqual(await told(ws.admin), [
    ['Ill', false, 2],
    ['S21', false, 1],
  ])
  assert.deepEqual(await told(await ws.viewer()), [
    ['S21', false, 1],
    [undefined, true, 1],
  ])
})

test('of more people than one page everybody is known by the number that counts, and as a member of their segments', async () => {
  const ws = await workspace()
  const [twice, once, pairs] = [16_500, 1_000, 8_250]
  // Everybody of the first ones has two numbers, most of them in two parts.
  await sql`
    insert into profiles (workspace_id, id, environment, user_id, created_at, updated_at)
    select ${ws.id}, 'p' || n, 'live', 'u' || n, now(), now() from generate_series(0, ${pairs + once - 1}::integer) n`.execute(ctx.db)
  await sql`
    insert into people_numbers (workspace_id, environment, no, profile_id, is_merged)
    select ${ws.id}, 'live', no, 'p' || case when no < ${twice} then no % ${pairs}::integer else no - ${pairs}::integer end, no < ${twice}
    from generate_series(0, ${twice + once - 1}::integer) no`.execute(ctx.db)
  const [third, even] = [await segment(ws.admin, 'Third', [trait('a', 'b')]), await segment(ws.admin, 'Even', [trait('a', 'c')])]
  await sql`
    insert into segment_members (workspace_id, segment_id, profile_id, is_member, since)
    select ${ws.id}, s.id, 'p' || n, true, now() from generate_series(0, ${pairs + once - 1}::integer) n
    join (values (${third}, 3), (${even}, 2)) as s (id, every) on n % s.every = 0`.execute(ctx.db)
  const profileOf = (no: number) => (no < twice ? no % pairs : no - pairs)
  const last = twice + once - 1
  const source = { workspaceId: ws.id, environment: 'live' as const }
  for (let part = 0; part < PARTS; part++) {
    const people = await PeopleOfPart.read(ctx, source, { part, last, segments: { only: third, by: [even] } })
    const locals = Uint32Array.from({ length: Math.floor((last - part) / PARTS) + 1 }, (_, index) => index)
    const found = people.membershipsOf(locals)!
    for (const local of locals) {
      const no = local * PARTS + part
      const profile = profileOf(no)
      const first = no < twice ? profile : no
      const says = [people.numberOf(local), people.isShared(local), people.isAsked(local), found[local]]
      const isShared = no < twice && pairs % PARTS !== 0
      assert.deepEqual(says, [first, isShared, profile % 3 === 0, profile % 2 === 0 ? 1 : 2], `number ${no}`)
    }
  }
})
