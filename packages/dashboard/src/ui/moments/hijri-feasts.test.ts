import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hijriMarkOf } from './hijri-feasts.ts'

test('Ramadan and both feasts of 1447, and first days of months', () => {
  const cases = [
    ['2026-02-17', false, undefined],
    ['2026-02-18', true, 'ramadan'],
    ['2026-03-19', false, 'ramadan'],
    ['2026-03-20', true, 'eidFitr'],
    ['2026-03-22', false, 'eidFitr'],
    ['2026-03-23', false, undefined],
    ['2026-05-26', false, undefined],
    ['2026-05-27', false, 'eidAdha'],
    ['2026-05-30', false, 'eidAdha'],
    ['2026-05-31', false, undefined],
    ['2026-06-16', true, undefined],
  ] as const
  for (const [day, isFirst, feast] of cases) assert.deepEqual(hijriMarkOf(day), { isFirst, feast }, day)
})
