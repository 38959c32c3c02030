import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import type { VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { differencesBetween } from './differences.ts'

test('what is not sent stays, the order of members means nothing, and words are told apart by language and variant', () => {
  const before = {
    name: 'Eid',
    segments: ['Gold'],
    schedule: { startTime: '2030-01-01T00:00:00.000Z', timezone: 'Asia/Riyadh' },
    content: {
      en: { title: 'Hello', body: 'b', variants: [{ id: 'A', weight: 1, values: { title: 'Hi' } }] },
      ar: { title: 'مرحبا' },
    },
  }
  assert.deepEqual(differencesBetween(before, { name: 'Eid' }), [])
  assert.deepEqual(differencesBetween(before, { schedule: { timezone: 'Asia/Riyadh', startTime: '2030-01-01T00:00:00.000Z' } }), [])
  assert.deepEqual(differencesBetween(before, { schedule: { timezone: 'Asia/Riyadh' } }), [])
  const after = {
    ...before,
    segments: ['Gold', 'Silver'],
    content: { en: { title: 'Hello', variants: [{ id: 'A', weight: 2, values: { title: 'Hey' } }] }, fr: { title: 'Salut' } },
  }
  assert.deepEqual(differencesBetween(before, after), [
    { part: 'segments', before: ['Gold'], after: ['Gold', 'Silver'] },
    { part: 'words', locale: 'en', variant: null, member: 'body', before: 'b', after: undefined },
    { part: 'words', locale: 'en', variant: 'A', member: 'title', before: 'Hi', after: 'Hey' },
    { part: 'variants', locale: 'en', before: [{ id: 'A', weight: 1 }], after: [{ id: 'A', weight: 2 }] },
    { part: 'words', locale: 'ar', variant: null, member: 'title', before: 'مرحبا', after: undefined },
    { part: 'words', locale: 'fr', variant: null, member: 'title', before: undefined, after: 'Salut' },
  ])
})

test('another template is one difference, with its variables', () => {
  const template = (id: string) => ({ content: { en: { whatsappTemplate: { id } } } })
  assert.deepEqual(differencesBetween(template('HX1'), template('HX1')), [])
  assert.deepEqual(differencesBetween(template('HX1'), template('HX2')), [
    { part: 'template', locale: 'en', variant: null, before: { id: 'HX1' }, after: { id: 'HX2' } },
  ])
})

test('a mail of sections is told apart as each variant says it, once where languages say the same', () => {
  const mail = EXAMPLE
  const content = (own: VariantMail) => {
    const variants = [{ id: 'B', weight: 1, values: {}, mail: own }]
    return { en: { variants }, ar: { variants } }
  }
  const [before, after] = [content({ hidden: ['two'] }), content({ hidden: ['two'], texts: { en: { subject: 'Other' } } })]
  assert.deepEqual(differencesBetween({ mail, content: before }, { mail, content: before }), [])
  const found = differencesBetween({ mail, content: before }, { content: after })
  assert.deepEqual(
    found.map((each) => [each.part, 'locale' in each && each.locale, 'variant' in each && each.variant]),
    [
      ['mail', 'en', 'B'],
      ['mail', 'ar', 'B'],
    ],
  )
  assert.match(String(found[0]?.after), /^Other\n\nIt leaves today/)
  assert.doesNotMatch(String(found[0]?.after), /Scarves/)
})
