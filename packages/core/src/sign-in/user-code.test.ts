import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUserCode, readUserCode } from './user-code.ts'

test('a code is two groups of four consonants, whatever is drawn', () => {
  assert.equal(
    makeUserCode(() => 0),
    'BBBB-BBBB',
  )
  assert.equal(
    makeUserCode(() => 1 - Number.EPSILON / 2),
    'ZZZZ-ZZZZ',
  )
  let n = 0
  assert.equal(
    makeUserCode(() => (n++ % 20) / 20),
    'BCDF-GHJK',
  )
})

test('a code is read however it is typed, and nothing else is one', () => {
  for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk\n', 'BCDF–GHJK', 'b.c.d.f.g.h.j.k'])
    assert.equal(readUserCode(typed), 'BCDF-GHJK')
  for (const typed of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ACDF-GHJK', 'BCDF-GHJY']) assert.equal(readUserCode(typed), undefined, typed)
})
