/** Definitions of questions: what is taken, and which member a refusal names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../blocks/field.ts'
import { readQuestion, type QuestionKind } from './question.ts'

const MOMENT = { now: Date.UTC(2026, 4, 20, 13, 30), keptDays: 400 }
const read = (kind: QuestionKind, body: Json) => readQuestion(kind, body, MOMENT)
const taken = (kind: QuestionKind, body: Json) => {
  const found = read(kind, body)
  assert.ok(found.ok, found.ok ? '' : found.error)
  return found.value
}
const iso = ({ from, to }: { from: number; to: number }) => [from, to].map((ms) => new Date(ms).toISOString().slice(0, 16))

test('a definition without more is about the last 30 days, or the last 24 hours', () => {
  const question = taken('explore', { types: ['view'] })
  assert.ok(question.kind === 'explore')
  assert.deepEqual([question.interval, question.metric, iso(question.period)], ['day', 'events', ['2026-04-21T00:00', '2026-05-21T00:00']])
  const hourly = taken('explore', { types: ['view'], interval: 'hour' })
  assert.ok(hourly.kind === 'explore')
  assert.deepEqual(iso(hourly.period), ['2026-05-19T14:00', '2026-05-20T14:00'])
})

test('a period is days or hours that are whole; the last days are those with today', () => {
  const period = (body: object) => {
    const question = taken('explore', { types: ['view'], ...body })
    assert.ok(question.kind === 'explore')
    return iso(question.period)
  }
  assert.deepEqual(period({ days: 1 }), ['2026-05-20T00:00', '2026-05-21T00:00'])
  assert.deepEqual(period({ from: '2026-05-01', to: '2026-05-03' }), ['2026-05-01T00:00', '2026-05-04T00:00'])
  assert.deepEqual(period({ from: '2026-05-01T10:30:00Z', to: '2026-05-01T11:30:00Z', interval: 'hour' }), [
    '2026-05-01T10:00',
    '2026-05-01T12:00',
  ])
})

test('what cannot be asked is refused with the member that is wrong', () => {
  const where = (field: string, operator = 'equals') => ({ logicalOperator: 'AND', conditions: [{ field, operator, value: 'x' }] })
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
  const steps = (count: number) => many(count).map((type) => ({ type }))
  const cases: [QuestionKind, Json, string][] = [
    ['explore', [], 'the definition must be an object'],
    ['explore', { types: many(11) }, 'types must be a list of 1 to 10'],
    ['explore', { types: [] }, 'types must be a list of 1 to 10'],
    ['explore', { types: ['a', 5] }, 'types[1] must be a text of 1 to 200 characters'],
    ['explore', { types: ['a', 'a'] }, 'types[1] is there twice'],
    ['explore', { types: ['a'], __proto__x: 1 }, 'explore takes types, from, to, days, interval, metric, measure, by, where, segment'],
    ['explore', { types: ['a'], interval: 'year' }, 'interval must be hour or day or week'],
    ['explore', { types: ['a'], metric: 'sum' }, 'measure: say what is added up, such as value or properties.total'],
    ['explore', { types: ['a'], measure: 'value' }, 'measure goes with the metric sum'],
    ['explore', { types: ['a'], by: 'email' }, 'by must be segment, platform, value or properties.<name>'],
    ['explore', { types: ['a'], from: '2026-05-03', to: '2026-05-01' }, 'from must be before to'],
    ['explore', { types: ['a'], from: '2024-05-03', to: '2026-05-01' }, 'from: at most 400 days before to'],
    ['explore', { types: ['a'], from: 'yesterday' }, 'from must be an ISO 8601 time, such as 2026-05-01'],
    ['explore', { types: ['a'], from: '2026-04-01', interval: 'hour' }, 'from: with interval hour at most 744 hours before to'],
    ['explore', { types: ['a'], days: 32, interval: 'hour' }, 'days: with interval hour at most 31'],
    ['explore', { types: ['a'], days: 401 }, 'days must be a whole number from 1 to 400'],
    ['explore', { types: ['a'], days: 3, to: '2026-05-01' }, 'days: say either days, or from and to'],
    [
      'explore',
      { types: ['a'], where: where('email') },
      'where.conditions[0].field must be properties.<name> or one of value, currency, blockKey, instanceId, campaignId, screen, fenceId, platform, sessionId',
    ],
    [
      'explore',
      { types: ['a'], where: where('platform', 'regex') },
      'where: questions about many events take no patterns; ask with contains, starts_with or ends_with',
    ],
    ['funnel', { steps: steps(1) }, 'steps must be a list of 2 to 10'],
    ['funnel', { steps: steps(20) }, 'steps must be a list of 2 to 10'],
    ['funnel', { steps: [{ type: 'a' }, { type: '' }] }, 'steps[1].type must be a text of 1 to 200 characters'],
    ['funnel', { steps: [{ type: 'a' }, { type: 'b', when: 1 }] }, 'steps[1] takes type and where'],
    ['funnel', { steps: steps(2), withinMinutes: 0 }, 'withinMinutes must be a whole number from 1 to 129600'],
    ['funnel', { steps: steps(2), order: 'random' }, 'order must be in_order or any_order'],
    ['retention', { start: { type: 'a' } }, 'return must be {type, where?}'],
    ['retention', { start: { type: 'a' }, return: { type: 'b' }, periods: 31 }, 'periods must be a whole number from 1 to 30'],
    [
      'retention',
      { start: { type: 'a' }, return: { type: 'b' }, unit: 'month', periods: 20 },
      'periods: 20 of a month are longer than events are kept, 400 days',
    ],
    ['retention', { start: { type: 'a' }, return: { type: 'b' }, unit: 'year' }, 'unit must be day or week or month'],
  ]
  for (const [kind, body, error] of cases) assert.deepEqual(read(kind, body), { ok: false, error })
})

test('events that are kept for a month have no year of retention', () => {
  const body = { start: { type: 'a' }, return: { type: 'b' }, unit: 'week', periods: 8 }
  const found = readQuestion('retention', body, { ...MOMENT, keptDays: 30 })
  assert.deepEqual(found, { ok: false, error: 'periods: 8 of a week are longer than events are kept, 30 days' })
})
