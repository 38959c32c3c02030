/** Patterns that take as long as any may: only who sends them waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { assertInTurns } from '../../../../test/processes/longest-turn.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { hash32 } from '../../../infra/secrets/crypto.ts'

const { ctx, workspace } = await startApp()

const PEOPLE = 60
/** No two are alike, so that nothing is known of one from the others. */
const text = (seed: number) => Array.from({ length: 3_000 }, (_, i) => 'abc'[hash32(`${seed} ${i}`) % 3]).join('')
const trait = (value: string) => ({ field: 'customAttributes.t', operator: 'regex', value })
/** Each makes a new set of states of nearly every letter, and finds nothing. */
const heavy = (count: number) => Array.from({ length: count }, (_, i) => trait(`a.{${180 + i}}[r-z]`))

test('G-79 while patterns are looked for, in a preview or for a person, others are answered', async () => {
  const busy = await workspace()
  for (let i = 0; i < PEOPLE; i++)
    await sql`insert into profiles (workspace_id, id, environment, user_id, traits, industry, created_at, updated_at)
      values (${busy.id}, ${`p${i}`}, 'live', ${`U${i}`}, ${{ t: text(i) }}, '{}', now(), now())`.execute(ctx.db)
  await assertInTurns(async () => {
    const found = await busy.admin.post('/segments/preview', { logicalOperator: 'OR', rules: heavy(2) })
    assert.equal(expectStatus(found, 200).data.count, 0)
  })

  await sql`delete from profiles where workspace_id = ${busy.id}`.execute(ctx.db)
  const rules = [...heavy(20), trait('^[abc]{9}')]
  expectStatus(await busy.admin.post('/segments', { name: 'Heavy', logicalOperator: 'OR', rules }), 201)
  const person = { deviceId: 'D1', userId: 'U1', consent: true, traits: { t: text(0) } }
  await assertInTurns(async () => {
    assert.deepEqual(expectStatus(await busy.app.post('/identify', person), 200).data.segments, ['Heavy'])
  })
})

test('G-79 a segment or journey whose patterns are too much together is refused at the one that is too much', async () => {
  const { admin } = await workspace()
  const rules = Array.from({ length: 5 }, (_, i) => trait(`[ab]{1000}${i}`))
  const tooMuch = await admin.post('/segments', { name: 'Much', logicalOperator: 'AND', rules })
  assert.match(expectStatus(tooMuch, 400).body.error, /^rules\[4\]: .*with those before it/)
  expectStatus(await admin.post('/segments', { name: 'Much', logicalOperator: 'AND', rules: rules.slice(1) }), 201)

  // Those of all its conditions count together.
  const steps = rules.map((rule) => ({ type: 'condition', rule, then: [], else: [] }))
  const journey = { name: 'Much', trigger: { type: 'manual' } }
  assert.match(expectStatus(await admin.post('/journeys', { ...journey, steps }), 400).body.error, /^steps\[4\].*with those before it/)
  expectStatus(await admin.post('/journeys', { ...journey, steps: steps.slice(1) }), 201)
})
