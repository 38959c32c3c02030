import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'parse5'
import { PLAIN_BRAND, themeOf, type Brand } from '../brand/brand.ts'
import { linesOf, nodesOf, TEXT_OF, type MailTexts } from '../document.ts'
import { textsOfMail } from '../fill-texts.ts'
import { checkWholeMail, mailBytes } from '../measure-mail.ts'
import { readMail } from '../read-document.ts'
import { renderMailDocument } from '../render-mail.ts'
import { galleryOf } from './gallery.ts'

const BRAND: Brand = {
  ...PLAIN_BRAND,
  logo: { src: 'https://img.example.com/logo.png', alt: 'Example', width: 120 },
  light: { ...PLAIN_BRAND.light, primary: '#0f766e', link: '#0f766e' },
  texts: {
    en: { company: 'Example Shop', address: '1 Market Street, Riyadh 12345', footer: 'You get this because you are a customer.' },
    ar: { company: 'متجر المثال', address: 'شارع السوق 1، الرياض 12345', footer: 'تصلك هذه الرسالة لأنك من عملائنا.' },
  },
  social: [
    { network: 'instagram', url: 'https://www.instagram.com/example' },
    { network: 'website', url: 'https://www.example.com' },
  ],
}
const LOCALES = ['en', 'ar'] as const
const MOST_BYTES = 60_000

const textsOf = (texts: { [locale: string]: MailTexts }, locale: string): MailTexts => {
  const found = texts[locale]
  assert.ok(found)
  return found
}

test('decision 70: twenty templates, each named once, in both languages', () => {
  const all = galleryOf(null)
  assert.equal(all.length, 20)
  assert.equal(new Set(all.map(({ id }) => id)).size, 20)
  for (const locale of LOCALES) assert.equal(new Set(all.map(({ names }) => names[locale])).size, 20)
})

for (const { id, document } of galleryOf(BRAND))
  for (const locale of LOCALES)
    test(`decision 70: ${id} in ${locale} is read, drawn without an error, small enough, and free of what stops a mail`, () => {
      const read = readMail('mail', document)
      assert.ok(read.ok, read.ok ? '' : read.error)
      assert.deepEqual(read.value, document)
      const texts = textsOf(document.texts, locale)
      const { html, body } = renderMailDocument({
        document,
        texts,
        locale,
        theme: themeOf(BRAND),
        brand: BRAND,
        unsubscribeUrl: 'https://example.com/leave',
        hrefOf: (_, url) => `https://example.com${url}`,
        sourceOf: (src) => src,
      })
      const errors: string[] = []
      parse(html, { onParseError: ({ code }) => void errors.push(code) })
      assert.deepEqual(errors, [])
      assert.ok(mailBytes(document, locale, { brand: BRAND }) <= MOST_BYTES, `${mailBytes(document, locale, { brand: BRAND })} bytes`)
      assert.deepEqual(checkWholeMail(document, 'https://shop.example.com', { brand: BRAND }), [])
      const { company, address } = BRAND.texts[locale] ?? {}
      for (const said of [company, address, 'instagram.com/example'])
        assert.ok(html.includes(said ?? '-') && body.includes(said ?? '-'), said ?? '')
    })

test('decision 70: templates show no pictures of anybody, and every token has words for whoever it is not known of', () => {
  for (const { id, document } of galleryOf(null)) {
    assert.ok(
      nodesOf(document).every(({ type }) => type !== 'image'),
      id,
    )
    for (const texts of Object.values(document.texts))
      for (const text of textsOfMail(texts))
        for (const [token] of text.matchAll(/\{\{[^{}]*\}\}/g)) assert.match(token, /\|/, `${id}: ${token}`)
  }
})

test('decision 70: each language says every place, in its own letters', () => {
  for (const { id, document } of galleryOf(null)) {
    const said = nodesOf(document).filter(({ type }) => TEXT_OF[type] !== null)
    for (const locale of LOCALES) {
      const { subject, preheader = '', nodes } = textsOf(document.texts, locale)
      assert.deepEqual(Object.keys(nodes).toSorted(), said.map((node) => node.id).toSorted(), `${id} ${locale}`)
      for (const text of [subject, preheader, ...Object.values(nodes).map(wordsOf)]) {
        const words = text.replaceAll(/\{\{[^{}|]*\|?|\}\}/g, ' ')
        if (/\p{L}/u.test(words)) assert.match(words, locale === 'ar' ? /\p{Script=Arabic}/u : /\p{Script=Latin}/u, `${id}: ${text}`)
        if (locale === 'en') assert.doesNotMatch(words, /\p{Script=Arabic}/u)
        else assert.doesNotMatch(words, /\p{Script=Latin}/u)
      }
    }
  }
})

function wordsOf(text: MailTexts['nodes'][string]): string {
  if ('label' in text) return text.label
  if ('src' in text) return text.alt
  if ('html' in text) return text.html
  return text.blocks
    .flatMap(linesOf)
    .flat()
    .map(({ v }) => v)
    .join(' ')
}

test('decision 70: bands take the colours of the brand', () => {
  const colours = (brand: Brand | null) =>
    new Set(
      galleryOf(brand).flatMap(({ document }) =>
        document.sections.flatMap((section) => (section.type === 'section' ? (section.background ?? []) : [])),
      ),
    )
  assert.deepEqual([...colours(BRAND)].toSorted(), ['#0f766e', '#ebf3f2'])
  assert.equal(colours(null).has('#1d4ed8'), true)
})
