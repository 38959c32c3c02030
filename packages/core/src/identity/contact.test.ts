import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEmail, readEmail, readName } from './contact.ts'

test('G-16 what is taken for an email', () => {
  for (const email of [
    'a@b.co',
    'sara.ali+shop@mail.example.com',
    'سارة@مثال.السعودية',
    "o'neil@example.ie",
    'a..b@docomo.example',
    'x!#$%&*/=?^_`{|}~-@example.com',
    'a@l·l.example',
    'a@☃.example',
    'a@xn--mgbh0fb.example',
    `${'a'.repeat(308)}@example.com`,
  ])
    assert.ok(isEmail(email), email)
})

test('G-16 G-86 what is not', () => {
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
    'a@b.co;',
    'a@b.co,',
    'a@b.co)',
    '(a@b.co',
    'a@b.co،',
    'a@b.co?subject=x',
    'mailto:a@b.co',
    'a\u0007@b.co',
    'a@b.co\u200b',
    '\u202ea@b.co',
    'a\ufffd@b.co',
    'a@b\ufffd.co',
    'a\ud800@b.co',
    'a@b.co;c@d.co',
  ]
  for (const value of [...refused, `${'a'.repeat(309)}@example.com`, null, undefined, 5, ['a@b.co'], { email: 'a@b.co' }])
    assert.ok(!isEmail(value), JSON.stringify(value))
})

test('G-86 an address is read without what surely is no part of it, and nothing else becomes one', () => {
  for (const [sent, read] of [
    ['sara@example.com', 'sara@example.com'],
    ['  Sara@Example.com\r\n', 'Sara@Example.com'],
    ['\u00a0sara@example.com\u3000', 'sara@example.com'],
    ['sara@example.com;', 'sara@example.com'],
    ['sara@example.com , ', 'sara@example.com'],
    ['mailto:sara@example.com', 'sara@example.com'],
    ['MailTo: sara@example.com;', 'sara@example.com'],
    ['\ufeffsara@example.com', 'sara@example.com'],
    ['sara\u200b@exam\u00adple.com', 'sara@example.com'],
    ['\u202bsara@example.com\u202c', 'sara@example.com'],
    ['\u2067sara@example.com;\u2069', 'sara@example.com'],
    ['sara\u0007@example.com', 'sara@example.com'],
    ['sara@example.com\u0000', 'sara@example.com'],
    ['سارة@مثال.السعودية\u200f', 'سارة@مثال.السعودية'],
    ['sara@example.com)', undefined],
    ['sara@example.com;;', undefined],
    ['sara@example.com;,', undefined],
    ['sara@example.com؛', undefined],
    ['sara@example.com; noura@example.com', undefined],
    ['Sara <sara@example.com>', undefined],
    ['mailto:mailto:sara@example.com', undefined],
    ['mailto:sara@example.com?subject=x', undefined],
    ['sara\t@example.com', undefined],
    ['sara@example.com\ufffd', undefined],
    [';', undefined],
    ['mailto:', undefined],
    ['\u200b', undefined],
  ] as const)
    assert.equal(readEmail(sent), read, JSON.stringify(sent))
  for (const value of [null, undefined, 5, {}, 'x'.repeat(1_000_000)]) assert.equal(readEmail(value), undefined)
})

test('G-86 whatever is read as an address is one, and is read again as itself', () => {
  const piece = fc.constantFrom(
    'sara',
    '@',
    'example',
    '.',
    'com',
    ';',
    ',',
    ')',
    ' ',
    'mailto:',
    '\u200b',
    '\u202e',
    '\u0007',
    '\n',
    '\ufffd',
    '٣',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const email = readEmail(pieces.join(''))
      if (email === undefined) return
      assert.ok(isEmail(email))
      assert.equal(readEmail(email), email)
    }),
    { seed: 20261126, numRuns: 5_000 },
  )
})

test('G-86 a name is one line that turns nothing around it', () => {
  for (const [sent, read] of [
    ['Sara', 'Sara'],
    [' Sara ', ' Sara '],
    ['Sara\r\nAli', 'Sara Ali'],
    ['Sara\u2028Ali\u0007', 'Sara Ali '],
    ['\u202eSara\u202c', 'Sara'],
    ['عبد\u200cالله', 'عبد\u200cالله'],
    ['\u2067سارة\u2069', 'سارة'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['\u200f\n', undefined],
    ['', undefined],
    ['x'.repeat(320), 'x'.repeat(320)],
    ['x'.repeat(321), undefined],
    [7, undefined],
  ] as const)
    assert.equal(readName(sent), read, JSON.stringify(sent))
})

test('a long hostile text is decided at once', () => {
  for (const text of ['a.'.repeat(150), `a@${'a.'.repeat(150)}`, '@'.repeat(300), ';'.repeat(600), '\u200b'.repeat(600)]) {
    assert.ok(!isEmail(text), text)
    assert.equal(readEmail(text), undefined)
  }
})
