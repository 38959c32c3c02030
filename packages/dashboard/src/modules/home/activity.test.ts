import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growth, pointsOf, rangesOf, readSpan, type Analytics } from './activity.ts'

const NOW = Date.parse('2026-11-21T14:30:00Z')

test('a day is 24 hours with the one that has begun, beside the 24 before', () => {
  const { current, before } = rangesOf('24h', NOW, 'UTC')
  assert.deepEqual(current, { interval: 'hour', from: '2026-11-20T15:00:00.000Z', to: '2026-11-21T15:00:00.000Z' })
  assert.deepEqual(before, { interval: 'hour', from: '2026-11-19T15:00:00.000Z', to: '2026-11-20T15:00:00.000Z' })
})

test('G-90 a week and a month are whole days of the workspace, the last of each named', () => {
  assert.deepEqual(rangesOf('7d', NOW, 'UTC'), {
    current: { interval: 'day', from: '2026-11-15', to: '2026-11-21' },
    before: { interval: 'day', from: '2026-11-08', to: '2026-11-14' },
  })
  assert.deepEqual(rangesOf('30d', NOW, 'UTC').current, { interval: 'day', from: '2026-10-23', to: '2026-11-21' })
  assert.deepEqual(rangesOf('30d', NOW, 'UTC').before, { interval: 'day', from: '2026-09-23', to: '2026-10-22' })
  const late = Date.parse('2026-11-21T21:30:00Z')
  assert.equal(rangesOf('7d', late, 'Asia/Riyadh').current.to, '2026-11-22')
  assert.equal(rangesOf('7d', late, 'America/Lima').current.to, '2026-11-21')
})

test('points of both spans stand above each other', () => {
  const analytics = (totals: number[]) => ({ series: totals.map((total, at) => ({ at: 'a time', date: String(at), total })) }) as Analytics
  assert.deepEqual(pointsOf(analytics([1, 2]), analytics([3, 4])), [
    { at: '0', current: 1, before: 3 },
    { at: '1', current: 2, before: 4 },
  ])
  assert.equal(pointsOf(analytics([1]), undefined)[0]?.before, undefined)
})

test('growth is a part of what was before, and is not said where nothing was', () => {
  assert.equal(growth(150, 100), 0.5)
  assert.equal(growth(50, 100), -0.5)
  assert.equal(growth(5, 0), undefined)
  assert.equal(growth(5, undefined), undefined)
})

test('an address names a span or means a week', () => {
  assert.equal(readSpan('30d'), '30d')
  assert.equal(readSpan('never'), '7d')
})
