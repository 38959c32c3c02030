import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMail } from '../checks.ts'
import { linksOf, nodesOf, type MailDocument } from '../document.ts'
import { readMail } from '../read-document.ts'
import { trackedNodes } from '../../messages/responses/tracked-nodes.ts'
import { withParts } from './put-parts.ts'
import { partsOf, readLibraryMail } from './read-part.ts'

const PART: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 'help',
      type: 'section',
      columns: [
        {
          width: 100,
          nodes: [
            { id: 'title', type: 'heading', level: 3 },
            { id: 'ask', type: 'button' },
            { id: '__proto__', type: 'text' },
          ],
        },
      ],
    },
    { id: 'footer', type: 'footer' },
  ],
  texts: {
    en: {
      subject: '',
      nodes: {
        title: { blocks: [{ p: [{ v: 'Any question?' }] }] },
        ask: { label: 'Ask us', url: 'https://help.example.com' },
      },
    },
    ar: { subject: '', nodes: { title: { blocks: [{ p: [{ v: 'لديك سؤال؟' }] }] } } },
  },
}
const MAIL: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    { id: 'first', type: 'part', part: 'help' },
    { id: 'own', type: 'section', columns: [{ width: 100, nodes: [{ id: 'title', type: 'heading', level: 1 }] }] },
    { id: 'second', type: 'part', part: 'help' },
    { id: 'footer', type: 'footer' },
  ],
  texts: {
    'en-GB': { subject: 'Hello', nodes: { title: { blocks: [{ p: [{ v: 'Hello' }] }] } } },
    ar: { subject: 'أهلًا', nodes: { title: { blocks: [{ p: [{ v: 'أهلًا' }] }] } } },
    fr: { subject: 'Bonjour', nodes: { title: { blocks: [{ p: [{ v: 'Bonjour' }] }] } } },
  },
}
const PARTS = new Map([['help', PART]])

test('decision 70: a part stands in each of its places with ids of its own, in the languages that both have', () => {
  const whole = withParts(MAIL, PARTS)
  assert.deepEqual(
    whole.sections.map(({ id, type }) => [id, type]),
    [
      ['first:help', 'section'],
      ['own', 'section'],
      ['second:help', 'section'],
      ['footer', 'footer'],
    ],
  )
  const ids = nodesOf(whole).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const keys = (locale: string) => Object.keys(whole.texts[locale]?.nodes ?? {}).toSorted()
  assert.deepEqual(keys('en-GB'), ['first:ask', 'first:title', 'second:ask', 'second:title', 'title'])
  assert.deepEqual(keys('ar'), ['first:title', 'second:title', 'title'])
  assert.deepEqual(keys('fr'), ['title'])
  assert.equal(whole.texts['ar']?.subject, 'أهلًا')
  assert.deepEqual(
    trackedNodes({ content: {}, mail: whole }).map(({ node }) => node),
    ['first:ask', 'second:ask'],
  )
  // What is put in is no longer what it was made of.
  const [text] = Object.values(MAIL.texts['en-GB']?.nodes ?? {})
  assert.ok(text && linksOf(text).length === 0)
  assert.equal(withParts(whole, PARTS), whole)
})

test('decision 70: a part that is not known is drawn as nothing, and stops the mail', () => {
  const whole = withParts(MAIL, new Map())
  assert.deepEqual(whole.sections, MAIL.sections)
  const found = checkMail(whole, { bytesIn: () => 1_000, hasWebAddress: true }).filter(({ code }) => code === 'part_missing')
  assert.deepEqual(
    found.map(({ level, locale, node }) => `${level} ${locale} ${node}`),
    ['stop en-GB first', 'stop en-GB second', 'stop ar first', 'stop ar second', 'stop fr first', 'stop fr second'],
  )
  assert.ok(checkMail(withParts(MAIL, PARTS), { bytesIn: () => 1_000, hasWebAddress: true }).every(({ code }) => code !== 'part_missing'))
})

test('decision 70: parts are read in mails, and not in parts', () => {
  const read = readMail('mail', MAIL)
  assert.ok(read.ok && partsOf(read.value).length === 2)
  assert.deepEqual(readLibraryMail('document', 'part', MAIL), {
    ok: false,
    error: 'document.sections[0] must not be a saved part: this is one',
  })
  assert.ok(readLibraryMail('document', 'template', MAIL).ok)
  const refusal = (section: object) => {
    const bad = readMail('mail', { ...MAIL, sections: [section] })
    return bad.ok ? 'taken' : bad.error
  }
  assert.equal(refusal({ id: 'a', type: 'part' }), 'mail.sections[0].part must be the id of a saved part')
  assert.equal(refusal({ id: 'a', type: 'part', part: 'a b' }), 'mail.sections[0].part must be the id of a saved part')
  assert.match(
    refusal({ id: 'a', type: 'part', part: 'a', columns: [] }),
    /^mail\.sections\[0\]: "columns" is not known; it takes id, type, part/,
  )
  const many = { ...MAIL, sections: Array.from({ length: 21 }, (_, number) => ({ id: `p${number}`, type: 'part', part: 'help' })) }
  const refused = readMail('mail', many)
  assert.equal(refused.ok ? '' : refused.error, 'mail.sections must have at most 20 saved parts')
})
