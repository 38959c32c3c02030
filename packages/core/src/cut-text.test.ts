import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, firstSigns, shorten } from './cut-text.ts'

const FAMILY = '👩‍👩‍👧'
const FLAG = '🇸🇦'

test('a text is cut between signs, and has at most so many units', () => {
  for (const [text, most, cut] of [
    ['Sara', 10, 'Sara'],
    ['Sara', 4, 'Sara'],
    ['Sara', 3, 'Sar'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    [`a${FAMILY}b`, 5, 'a'],
    [`a${FAMILY}b`, 9, `a${FAMILY}`],
    [`${FLAG}${FLAG}`, 6, FLAG],
    // A colour of skin stays with its hand.
    ['a👍🏽', 3, 'a'],
    // A letter keeps its marks: shadda and fatha of one lam.
    ['كلَّ يوم', 2, 'ك'],
    ['كلَّ يوم', 4, 'كلَّ'],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['a\r\nb', 2, 'a'],
    ['', 5, ''],
  ] as const)
    assert.equal(cutText(text, most), cut, JSON.stringify([text, most]))
})

test('one endless sign is cut between characters', () => {
  assert.equal(cutText(`e${'\u0301'.repeat(1_000)}`, 10), `e${'\u0301'.repeat(9)}`)
  assert.equal(cutText(FAMILY, 4), '👩‍')
  assert.equal(cutText('😀', 1), '')
})

test('what is missing is shown within the length', () => {
  assert.equal(shorten('Offers for you', 14), 'Offers for you')
  assert.equal(shorten('Offers for you', 8), 'Offers…')
  assert.equal(shorten(`${'x'.repeat(76)}${FAMILY}`, 78), `${'x'.repeat(76)}…`)
})

test('signs are counted as people count them', () => {
  assert.equal(firstSigns(FAMILY.repeat(4), 3), FAMILY.repeat(3))
  assert.equal(firstSigns(FAMILY.repeat(3), 3), FAMILY.repeat(3))
  assert.equal(firstSigns('كلَّ يوم', 2), 'كلَّ')
})

test('it takes time in proportion to what is kept, however long the text is', () => {
  for (const part of ['\u0301', 'a', '😀', FLAG, '\u200d'])
    for (let i = 0; i < 100; i++) assert.ok(cutText(part.repeat(1_000_000), 100).length <= 100, part)
})
