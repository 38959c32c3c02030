import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessageLength } from './text-message.ts'

const told = (text: string) => {
  const { alphabet, length, parts, left } = textMessageLength(text)
  return [alphabet, length, parts, left]
}

test('a text in the default alphabet has 160 codes, and 153 in each of several parts', () => {
  assert.deepEqual(told(''), ['gsm7', 0, 0, 160])
  assert.deepEqual(told('a'.repeat(160)), ['gsm7', 160, 1, 0])
  assert.deepEqual(told('a'.repeat(161)), ['gsm7', 161, 2, 145])
  assert.deepEqual(told('a'.repeat(306)), ['gsm7', 306, 2, 0])
  assert.deepEqual(told('a'.repeat(307)), ['gsm7', 307, 3, 152])
})

test('signs of two codes count as two, and are not cut in half', () => {
  assert.deepEqual(told('€'.repeat(80)), ['gsm7', 160, 1, 0])
  // 76 of them fill 152 of 153 codes, so the last code of a part stays empty.
  assert.deepEqual(told('€'.repeat(81)), ['gsm7', 162, 2, 143])
  assert.deepEqual(told('[]{}'), ['gsm7', 8, 1, 152])
})

test('Arabic and every other sign make it 70, and 67 in each of several parts', () => {
  assert.deepEqual(told('م'.repeat(70)), ['ucs2', 70, 1, 0])
  assert.deepEqual(told('م'.repeat(71)), ['ucs2', 71, 2, 63])
  assert.deepEqual(told('😀'.repeat(35)), ['ucs2', 70, 1, 0])
  assert.deepEqual(told('😀'.repeat(36)), ['ucs2', 72, 2, 61])
  assert.equal(textMessageLength('Hello “you”').because, '“')
  assert.equal(textMessageLength('Hello').because, undefined)
})
