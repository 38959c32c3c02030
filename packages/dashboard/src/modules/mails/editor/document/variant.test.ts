import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { layMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { removePart } from './change-mail.ts'
import { setText, setTexts } from './change-texts.ts'
import { idOf } from './places.ts'
import { countOf, leftOut, putBack, variantOf } from './variant.ts'

const section = EXAMPLE.sections.find(({ type }) => type === 'section')!
const button = Object.entries(EXAMPLE.texts['en']!.nodes).find(([, text]) => 'label' in text)![0]
const heading = Object.entries(EXAMPLE.texts['en']!.nodes).find(([, text]) => 'blocks' in text)![0]

test('a mail that was not changed is no variant, and one that was changed back neither', () => {
  assert.equal(variantOf(EXAMPLE, EXAMPLE), undefined)
  const other = setTexts(EXAMPLE, 'en', { subject: 'Another' })
  assert.deepEqual(variantOf(EXAMPLE, other), { texts: { en: { subject: 'Another' } } })
  assert.equal(variantOf(EXAMPLE, setTexts(other, 'en', { subject: EXAMPLE.texts['en']!.subject })), undefined)
})

test('what is taken out is left out, and is put back at its place with the words of the mail', () => {
  const label = { label: 'Go', url: 'https://shop.example.com/' }
  const written = setText(setTexts(EXAMPLE, 'ar', { preheader: undefined }), 'en', button, label)
  const edited = removePart(removePart(written, heading), section.id)
  const variant = variantOf(EXAMPLE, edited)
  assert.ok(variant?.hidden)
  assert.ok(variant.hidden.includes(section.id))
  assert.deepEqual(layMail(EXAMPLE, variant).sections, edited.sections)
  assert.deepEqual(leftOut(EXAMPLE, edited).map(idOf), variant.hidden)
  const back = variant.hidden.reduce((mail, id) => putBack(EXAMPLE, mail, id), edited)
  assert.deepEqual(back.sections, EXAMPLE.sections)
  assert.deepEqual(variantOf(EXAMPLE, back)?.hidden, undefined)
  assert.equal(countOf(variant).hidden, variant.hidden.length)
})

test('words that were taken away stay away, and texts of the mail are not repeated', () => {
  const empty = setText(EXAMPLE, 'en', heading, undefined)
  assert.deepEqual(variantOf(EXAMPLE, empty), { texts: { en: { nodes: { [heading]: { blocks: [] } } } } })
})
