/** What is laid over a mail, left out of it, or taken from the catalog: pure, on the example of every kind of node. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogKeysIn, withCatalogTexts, withoutCatalogTexts } from '../catalog-texts.ts'
import { checkMailOf } from './check-variants.ts'
import type { MailDocument } from '../document.ts'
import { EXAMPLE } from '../example-mail.ts'
import { readVariantMail } from './read-variant.ts'
import { mailShownTo, segmentsOfMail } from '../shown-to.ts'
import { layMail, misplacedIn } from './variant-mail.ts'

const english = ({ texts }: MailDocument) => texts['en'] ?? assert.fail('it is in English')
const idsOf = ({ sections }: MailDocument) =>
  sections.flatMap((section) =>
    section.type === 'section' ? [section.id, ...section.columns.flatMap(({ nodes }) => nodes.map(({ id }) => id))] : [section.id],
  )

test('a variant is laid text by text, takes out nodes or sections, and changes nothing of the mail', () => {
  const before = JSON.stringify(EXAMPLE)
  const laid = layMail(EXAMPLE, {
    texts: { en: { subject: 'S', nodes: { shop: { label: 'L', url: 'https://shop.example.com' } } }, fr: { subject: 'F' } },
    hidden: ['intro', 'two', 'footer'],
  })
  const [was, is] = [english(EXAMPLE), english(laid)]
  assert.deepEqual([is.subject, is.preheader, is.nodes['shop']], ['S', was.preheader, { label: 'L', url: 'https://shop.example.com' }])
  assert.deepEqual(is.nodes['hero'], was.nodes['hero'])
  assert.deepEqual([laid.texts['ar'], laid.texts['fr']], [EXAMPLE.texts['ar'], undefined])
  assert.deepEqual(idsOf(laid), ['top', 'hello', 'main', 'hero', 'shop', 'end', 'line', 'room', 'all', 'footer'])
  assert.equal(layMail(EXAMPLE, undefined), EXAMPLE)
  assert.equal(JSON.stringify(EXAMPLE), before)
})

test('names that objects have by themselves are names like others', () => {
  const read = readVariantMail(
    'mail',
    JSON.parse('{"texts": {"en": {"nodes": {"__proto__": {"label": "x", "url": ""}, "constructor": {"blocks": []}}}}}'),
  )
  assert.ok(read.ok)
  assert.deepEqual(misplacedIn(EXAMPLE, read.value), [
    { locale: 'en', node: '__proto__' },
    { locale: 'en', node: 'constructor' },
  ])
  assert.deepEqual(misplacedIn(EXAMPLE, { texts: { toString: {} }, hidden: ['valueOf', 'footer', 'top', 'line'] }), [
    { locale: 'toString' },
    { node: 'valueOf' },
    { node: 'footer' },
  ])
})

test('what a variant shares with the mail is said once, and what it alone has is said of it', () => {
  const content = {
    en: {
      variants: [
        { id: 'same', weight: 1, values: {}, mail: {} },
        { id: 'bare', weight: 1, values: {}, mail: { texts: { en: { subject: '' } } } },
      ],
    },
    // The same variant in another language says nothing new.
    ar: { variants: [{ id: 'bare', weight: 1, values: {}, mail: { texts: { en: { subject: '' } } } }] },
  }
  const [alone, all] = [checkMailOf({ mail: EXAMPLE, content: {} }, null), checkMailOf({ mail: EXAMPLE, content }, null)]
  assert.deepEqual(all, [...alone, { code: 'subject_missing', level: 'stop', locale: 'en', variant: 'bare' }])
})

test('sections for a segment are for its members, and a mail of nothing else is for nobody else', () => {
  const [first, ...others] = EXAMPLE.sections
  assert.ok(first?.type === 'section')
  const mail = { ...EXAMPLE, sections: [{ ...first, showTo: 'Gold' }, ...others] }
  const all = {
    ...EXAMPLE,
    sections: [
      { ...first, showTo: 'Gold' },
      { id: 'footer', type: 'footer' as const },
    ],
  }
  assert.deepEqual(segmentsOfMail(mail), ['Gold'])
  assert.deepEqual(segmentsOfMail({ ...mail, sections: [{ ...first, showTo: 'All users' }] }), [])
  const shown = (segments?: ReadonlySet<string> | 'all') => mailShownTo(mail, segments)?.sections.some(({ id }) => id === 'top')
  assert.deepEqual([shown(), shown(new Set(['Silver'])), shown(new Set(['Gold'])), shown('all')], [false, false, true, true])
  assert.equal(mailShownTo(all, new Set()), undefined)
  assert.equal(mailShownTo(EXAMPLE, new Set()), EXAMPLE)
})

test('texts of the catalog are written beside their keys, and go again without a trace', () => {
  const mail = {
    ...EXAMPLE,
    texts: { en: { subject: 'S', nodes: { hello: { string: 'k', blocks: [] }, left: { string: 'gone', blocks: [] } } } },
  }
  assert.deepEqual(catalogKeysIn(mail), ['k', 'gone'])
  const filled = withCatalogTexts(mail, (key, locale) => (key === 'k' ? `${locale} one\n still\n\n  two` : undefined))
  assert.deepEqual(english(filled).nodes['hello'], { string: 'k', blocks: [{ p: [{ v: 'en one\n still' }] }, { p: [{ v: 'two' }] }] })
  assert.deepEqual(english(filled).nodes['left'], { string: 'gone', blocks: [] })
  assert.deepEqual(withoutCatalogTexts(filled), mail)
  assert.equal(
    withCatalogTexts(EXAMPLE, () => assert.fail('it names no key')),
    EXAMPLE,
  )
})
