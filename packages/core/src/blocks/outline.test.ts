import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from './field.ts'
import { outlineOf } from './outline.ts'

const FIELDS: Field[] = [
  { id: 'n', tag: '#n', type: 'number' },
  { id: 't', tag: '#t', type: 'text' },
  { id: 'b', tag: '#b', type: 'textarea' },
  { id: 'i', tag: '#i', type: 'image' },
  { id: 'j', tag: '#j', type: 'image' },
]

test('the label is the first text that is there, on one line and not too long; the image the first safe one', () => {
  assert.deepEqual(outlineOf(FIELDS, { values: {}, translations: {} }), { label: null, image: null, locales: [] })
  const values = { n: 5, t: '', b: ' two\nlines ', i: 'javascript:alert(1)', j: 'https://x.example/a.png' }
  assert.deepEqual(outlineOf(FIELDS, { values, translations: {} }), { label: 'two lines', image: 'https://x.example/a.png', locales: [] })
  assert.equal(outlineOf(FIELDS, { values: { t: '😀'.repeat(500) }, translations: {} }).label, '😀'.repeat(120))
})

test('a language is filled as far as the texts that have a base value are translated', () => {
  const values = { t: 'Hello', b: 'World', n: 1, i: 'https://x.example/a.png' }
  const translations = { ar: { t: 'مرحبا', b: '' }, fr: { t: 'Salut', b: 'Monde', n: 2 }, de: { i: 'https://x.example/b.png' } }
  assert.deepEqual(outlineOf(FIELDS, { values, translations }).locales, [
    { locale: 'ar', filled: 1, of: 2 },
    { locale: 'fr', filled: 2, of: 2 },
    { locale: 'de', filled: 0, of: 2 },
  ])
  assert.deepEqual(outlineOf(FIELDS, { values: {}, translations: { ar: { t: 'مرحبا' } } }).locales, [{ locale: 'ar', filled: 0, of: 0 }])
})
