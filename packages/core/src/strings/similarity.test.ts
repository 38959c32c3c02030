import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bestMatch, similarity } from './similarity.ts'

const remembered = (...pairs: [source: string, text: string][]) =>
  pairs.map(([sourceText, text], at) => ({ key: `k${at}`, sourceText, text }))
const fits = () => true

test('the same source text gives its translation, the preferred one first', () => {
  const candidates = remembered(['save', 'x'], ['Save', 'Speichern'], ['Save', 'Sichern'])
  assert.deepEqual(
    bestMatch('Save', candidates, () => false),
    { text: 'Speichern', similarity: 1, fromKey: 'k1' },
  )
})

test('where only numbers, placeholders or case differ they are put into the translation', () => {
  for (const [source, text, wanted, expected] of [
    ['Order 12 of {name}', '{name}s Bestellung 12', 'Order 13 of {user}', '{user}s Bestellung 13'],
    ['Top 10', 'Die besten 10', 'Top 100', 'Die besten 100'],
    ['%s and %d', '%s und %d', '%1$s and %2$d', '%1$s und %2$d'],
    ['{{a}} likes it', '{{a}} mag es', '{{b}} likes it', '{{b}} mag es'],
    ['{a} to {b}', '{b} von {a}', '{b} to {a}', '{a} von {b}'],
    ['CANCEL', 'Abbrechen', 'Cancel', 'Abbrechen'],
    // Without the number in the translation, or with two for one, nobody knows.
    ['Top 10', 'Die besten zehn', 'Top 100', undefined],
    ['5 of 5', '5 von 5', '5 of 6', undefined],
    ['Top 10', '10: die besten 10', 'Top 11', undefined],
  ] as const)
    assert.equal(bestMatch(wanted, remembered([source, text]), fits)?.text, expected, `${source} → ${wanted}`)
  assert.equal(bestMatch('Top 9', remembered(['Top 10', '10']), fits)?.similarity, 0.99)
})

test('a near text gives the nearest translation that fits', () => {
  const candidates = remembered(['Your cart is full', 'A'], ['Your cart is empty!', 'B'], ['Your cart is empty now', 'C'])
  assert.deepEqual(bestMatch('Your cart is empty', candidates, fits), { text: 'B', similarity: 0.92, fromKey: 'k1' })
  assert.equal(bestMatch('Your cart is empty', candidates, (text) => text !== 'B')?.fromKey, 'k2')
  assert.equal(bestMatch('Something else entirely', candidates, fits), undefined)
  assert.equal(bestMatch('Save', remembered(['Delete', 'Löschen']), fits), undefined)
})

test('similarity is 1 for the same text, 0 for nothing in common, and the same both ways', () => {
  assert.equal(similarity('Save', 'SAVE '), 1)
  assert.equal(similarity('abc', 'xyz'), 0)
  assert.equal(similarity('', ''), 1)
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (a, b) => {
      assert.equal(similarity(a, b), similarity(b, a))
      assert.ok(similarity(a, b) >= 0 && similarity(a, b) <= 1)
      assert.equal(similarity(a, a), 1)
    }),
  )
})

test('long texts are compared with the same text only', () => {
  const long = 'word '.repeat(500)
  assert.equal(bestMatch(`${long}a`, remembered([`${long}b`, 'x']), fits), undefined)
  assert.equal(bestMatch(`${long}a`, remembered([`${long}a`, 'x']), fits)?.text, 'x')
})
