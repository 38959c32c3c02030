import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmail } from './contact.ts'

test('G-16 what is taken for an email', () => {
  for (const email of [
    'a@b.co',
    'sara.ali+shop@mail.example.com',
    'سارة@مثال.السعودية',
    "o'neil@example.ie",
    `${'a'.repeat(308)}@example.com`,
  ])
    assert.ok(isEmail(email), email)
})

test('G-16 what is not', () => {
  const refused: unknown[] = [
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@b..co',
    'a@.co',
    'a@b.co.',
    'a b@c.co',
    'a@b@c.co',
    'a@b.co\n',
    ' a@b.co',
    '<a@b.co>',
  ]
  for (const value of [...refused, `${'a'.repeat(309)}@example.com`, null, undefined, 5, ['a@b.co'], { email: 'a@b.co' }])
    assert.ok(!isEmail(value), JSON.stringify(value))
})

test('a long hostile text is decided at once', () => {
  for (const text of ['a.'.repeat(150), `a@${'a.'.repeat(150)}`, '@'.repeat(300)]) assert.ok(!isEmail(text), text)
})
