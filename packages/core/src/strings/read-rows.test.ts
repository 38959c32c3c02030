import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runToEnd } from '../steps.ts'
import { keyFault, readRows } from './read-rows.ts'

const errorOf = (input: unknown) => {
  const read = runToEnd(readRows(input))
  return read.ok ? undefined : read.error
}

test('M-STRS-23 a payload that is none is told as a whole', () => {
  for (const input of [undefined, null, [], 'x', {}, { strings: 'x' }, { strings: [] }, { strings: {} }])
    assert.ok(errorOf(input), JSON.stringify(input))
  const rows = (count: number) => ({ strings: Array.from({ length: count }, (_, i) => ({ key: `${i}` })) })
  assert.equal(errorOf(rows(2_000)), undefined)
  assert.match(errorOf(rows(2_001)) ?? '', /2000/)
})

test('A-24 the first bad row is named, with what is wrong', () => {
  for (const [bad, why] of [
    [7, /object/],
    [{ key: 7 }, /key/],
    [{ key: 'k', sourceText: [] }, /sourceText/],
    [{ key: 'k', namespace: 'n'.repeat(101) }, /namespace/],
    [{ key: 'k', description: 'd'.repeat(501) }, /description/],
    [{ key: 'k', values: 'x' }, /values/],
    [{ key: 'k', values: { ar: {} } }, /values\.ar/],
    [{ key: 'k', values: { ar: 'x'.repeat(20_001) } }, /values\.ar/],
  ] as const) {
    const error = errorOf({ strings: [{ key: 'good' }, bad] }) ?? ''
    assert.match(error, /^strings\[1\]: /)
    assert.match(error, why)
  }
})

test('M-STRS-02 characters are counted as people count them', () => {
  assert.equal(keyFault('😀'.repeat(200)), undefined)
  assert.ok(keyFault('😀'.repeat(201)))
  assert.ok(keyFault(''))
})

test('null counts as left out', () => {
  const read = runToEnd(
    readRows({ strings: [{ key: 'k', sourceText: null, namespace: null, description: null, values: { ar: null, fr: 'f' } }] }),
  )
  assert.deepEqual(read.ok && read.rows, [{ key: 'k', values: new Map([['fr', 'f']]) }])
})
