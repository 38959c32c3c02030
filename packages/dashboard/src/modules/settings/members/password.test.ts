import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePassword } from './password.ts'

test('a first password has four groups of five characters that cannot be mistaken', () => {
  assert.equal(makePassword(Array.from({ length: 20 }, (_, index) => index)), 'abcde-fghij-kmnop-qrstu')
  const every = Array.from({ length: 13 }, (_, part) => makePassword(Array.from({ length: 20 }, (__, index) => (part * 20 + index) % 228)))
  for (const password of every) assert.match(password, /^([a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/)
  assert.doesNotMatch(every.join(''), /[01OlI]/)
})

test('bytes that would make some letters likelier are left out', () => {
  assert.equal(makePassword([228, 255, ...Array.from({ length: 20 }, () => 227)]), '99999-99999-99999-99999')
  assert.throws(() => makePassword(Array.from({ length: 256 }, () => 250)), /not enough/)
})
