import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { companyLines } from './brand/brand-text.ts'
import { PLAIN_BRAND, themeOf, type Brand } from './brand/brand.ts'
import { checkMail } from './checks.ts'
import {
  linesOf,
  nodesOf,
  TEXT_OF,
  type MailDocument,
  type MailNode,
  type MailSection,
  type MailTexts,
  type NodeText,
  type TextBlock,
  type TextRun,
} from './document.ts'
import { EXAMPLE } from './example-mail.ts'
import { fillTexts } from './fill-texts.ts'
import { linksOfHtml } from './own-html/html-places.ts'
import { readMail } from './read-document.ts'
import { renderMailDocument } from './render-mail.ts'

const words = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('{{', '{ {'))
const path = fc.stringMatching(/^[a-z0-9&"'<>]{0,12}$/)
const address = fc.oneof(
  path.map((tail) => `https://shop.example.com/${encodeURIComponent(tail)}?a=1&b="${encodeURIComponent(tail)}"`),
  fc.constantFrom('mailto:a@example.com', '/offers', 'myapp://x'),
)
const picture = path.map((tail) => `https://img.example.com/${encodeURIComponent(tail)}.png`)
const run: fc.Arbitrary<TextRun> = fc.record(
  { v: words, b: fc.constant(true as const), i: fc.constant(true as const), url: address, color: fc.constant('#b91c1c') },
  { requiredKeys: ['v'] },
)
const runs = fc.array(run, { maxLength: 4 })
const block: fc.Arbitrary<TextBlock> = fc.oneof(
  runs.map((p) => ({ p })),
  fc.array(runs, { maxLength: 3 }).map((ul) => ({ ul })),
  fc.array(runs, { maxLength: 3 }).map((ol) => ({ ol })),
)
type Bare = MailNode extends infer Node ? (Node extends MailNode ? Omit<Node, 'id'> : never) : never
const align = fc.constantFrom('start' as const, 'center' as const, 'end' as const)
const node: fc.Arbitrary<Bare> = fc.oneof(
  fc.record({ type: fc.constant('heading' as const), level: fc.constantFrom(1 as const, 2 as const, 3 as const), align }),
  fc.record({ type: fc.constant('text' as const), align }),
  fc.record({ type: fc.constant('image' as const), width: fc.integer({ min: 5, max: 100 }), align }),
  fc.record({ type: fc.constant('button' as const), isWide: fc.boolean(), align }),
  fc.record({ type: fc.constant('divider' as const) }),
  fc.record({ type: fc.constantFrom('logo' as const, 'social' as const), align }),
  fc.record({ type: fc.constant('html' as const) }),
  fc.record({ type: fc.constant('spacer' as const), height: fc.integer({ min: 4, max: 96 }) }),
)
const widths = fc.constantFrom([100], [50, 50], [30, 70], [33, 33, 34], [25, 25, 25, 25])
const section = widths.chain((each) =>
  fc.record({
    columns: fc.tuple(...each.map((width) => fc.array(node, { maxLength: 4 }).map((nodes) => ({ width, nodes })))),
    look: fc.record(
      { background: fc.constantFrom('#0f766e', '#fde68a'), padding: fc.nat(64), keepColumns: fc.boolean() },
      { requiredKeys: [] },
    ),
  }),
)
const textOf: { [kind in 'rich' | 'button' | 'image' | 'html']: fc.Arbitrary<NodeText> } = {
  html: fc.constantFrom('<p>Own</p>', '<b>a</b><a href="https://own.example.com/?a=1&amp;b=2">b</a>', '').map((html) => ({ html })),
  rich: fc.array(block, { maxLength: 3 }).map((blocks) => ({ blocks })),
  button: fc.record({ label: words, url: address }),
  image: fc.record({ src: picture, alt: words, url: address }, { requiredKeys: ['src', 'alt'] }),
}

/** Sections with random looks, and texts in English and Arabic in which some are missing. */
const anyMail: fc.Arbitrary<MailDocument> = fc.array(section, { maxLength: 8 }).chain((sections) => {
  let number = 0
  const built: MailSection[] = sections.map(({ columns, look }, index) => ({
    id: `s${index}`,
    type: 'section',
    ...look,
    columns: columns.map(({ width, nodes }) => ({ width, nodes: nodes.map((each): MailNode => ({ ...each, id: `n${number++}` })) })),
  }))
  const nodes = built.flatMap((each) => (each.type === 'section' ? each.columns.flatMap((column) => column.nodes) : []))
  const texts = Object.fromEntries(
    nodes.flatMap(({ id, type }) => {
      const kind = TEXT_OF[type]
      return kind === null ? [] : [[id, textOf[kind]]]
    }),
  )
  const said = fc.record({
    subject: words,
    preheader: words,
    nodes: fc.record(texts, { requiredKeys: [] }) as fc.Arbitrary<MailTexts['nodes']>,
  })
  return fc
    .record({ en: said, ar: said })
    .map((all) => ({ version: 1, kind: 'sections', sections: [...built, { id: 'footer', type: 'footer' }], texts: all }))
})

const UNSUBSCRIBE = 'https://mail.example.com/u/1?a=1&b=2'
const PERSON = { name: 'Sara <b>', email: null, phone: null, userId: null, customAttributes: {}, enrichment: {} }

function textsIn({ texts }: Pick<MailDocument, 'texts'>, locale: string): MailTexts {
  const found = texts[locale]
  assert.ok(found)
  return found
}

const SOCIAL = 'https://social.example.com/?a=1&b="2'
/** Of which every text is as odd as those of mails. */
const brand: fc.Arbitrary<Brand | null> = fc.option(
  fc.record({ company: words, address: words, footer: words, alt: words, isDark: fc.boolean() }).map(({ alt, isDark, ...said }) => ({
    ...PLAIN_BRAND,
    logo: { src: 'https://img.example.com/logo.png', ...(isDark && { darkSrc: 'https://img.example.com/dark.png' }), alt, width: 200 },
    texts: { en: said },
    social: [{ network: 'x' as const, url: SOCIAL }],
  })),
)

function draw(document: MailDocument, locale: string, of: Brand | null = null) {
  return renderMailDocument({
    document,
    texts: textsIn(document, locale),
    locale,
    theme: themeOf(of),
    brand: of,
    unsubscribeUrl: UNSUBSCRIBE,
    hrefOf: (_, url) => (url.startsWith('/') ? undefined : url),
    sourceOf: (src) => src,
  })
}

/** The tree that browsers read, and what they had to mend to read it. */
function read(html: string) {
  const errors: string[] = []
  const root = parse(html, { onParseError: ({ code }) => void errors.push(code) })
  let text = ''
  const elements: { element: Tree.Element; tables: number }[] = []
  const walk = (node: Tree.Node, tables: number): void => {
    const inside = 'tagName' in node && node.tagName === 'table' ? tables + 1 : tables
    if ('tagName' in node) elements.push({ element: node, tables: inside })
    if (node.nodeName === '#text' && 'value' in node) text += node.value
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, inside)
  }
  walk(root, 0)
  const all = (tag: string) => elements.flatMap(({ element }) => (element.tagName === tag ? [element] : []))
  return { errors, all, text, tables: Math.max(...elements.map(({ tables }) => tables)) }
}
const attribute = (element: Tree.Element, name: string) => element.attrs.find((each) => each.name === name)?.value

test('decision 66: any mail within the bounds is right HTML in every language, at most four tables deep, with one way out', () => {
  fc.assert(
    fc.property(anyMail, fc.constantFrom('en', 'ar'), brand, (document, locale, of) => {
      const again = readMail('mail', document)
      assert.ok(again.ok, again.ok ? '' : again.error)
      assert.deepEqual(JSON.parse(JSON.stringify(again.value)), JSON.parse(JSON.stringify(document)))
      const { html } = draw(again.value, locale, of)
      const { errors, all, tables } = read(html)
      assert.deepEqual(errors, [])
      assert.ok(tables <= 4, `${tables} tables`)
      assert.ok(all('img').every((image) => attribute(image, 'alt') !== undefined))
      const links = all('a').map((link) => attribute(link, 'href'))
      assert.equal(links.filter((link) => link === UNSUBSCRIBE).length, 1)
      const known = new Set([UNSUBSCRIBE, SOCIAL, ...addressesOf(document, locale)])
      assert.deepEqual(
        links.filter((link) => !known.has(link ?? '')),
        [],
      )
      assert.deepEqual(
        all('html').map((root) => attribute(root, 'dir')),
        [locale === 'ar' ? 'rtl' : 'ltr'],
      )
    }),
    { numRuns: 300 },
  )
})

function addressesOf({ texts }: MailDocument, locale: string): string[] {
  return Object.values(textsIn({ texts }, locale).nodes).flatMap((text) => {
    if ('blocks' in text) return text.blocks.flatMap(linesOf).flatMap((runs) => runs.flatMap(({ url }) => url ?? []))
    if ('html' in text) return linksOfHtml(text.html).map(({ url }) => url)
    return text.url ?? []
  })
}

test('decision 66: HTML and plain text have every word', () => {
  fc.assert(
    fc.property(anyMail, fc.constantFrom('en', 'ar'), brand, (document, locale, of) => {
      const { html, body } = draw(document, locale, of)
      const seen = withoutBlanks(read(html).text)
      const said = withoutBlanks(body)
      for (const word of companyLines({ brand: of, locale }).map(withoutBlanks))
        assert.ok(seen.includes(word) && said.includes(word), JSON.stringify(word))
      for (const text of Object.values(textsIn(document, locale).nodes)) {
        const runs = 'blocks' in text ? text.blocks.flatMap(linesOf).flat() : []
        for (const word of runs.map(({ v }) => withoutBlanks(v)))
          assert.ok(seen.includes(word) && said.includes(word), JSON.stringify(word))
      }
    }),
    { numRuns: 200 },
  )
})
// What browsers do to NUL and line breaks is not the mail's.
const withoutBlanks = (text: string) => text.replaceAll(/[\s\0\u{FFFD}]/gu, '')

test('decision 66: tokens are filled in texts and links, each as its place needs it', () => {
  const filled = fillTexts(textsIn(EXAMPLE, 'en'), PERSON, null)
  assert.ok(filled.ok)
  const { html, body } = draw({ ...EXAMPLE, texts: { en: filled.texts } }, 'en')
  assert.match(filled.texts.subject, /^Your order, Sara <b>$/)
  assert.match(html, /Good news, Sara &lt;b&gt;/)
  assert.match(html, /https:\/\/shop\.example\.com\/track\?n=Sara%20%3Cb%3E/)
  assert.doesNotMatch(html, /\{\{/)
  assert.match(body, /Good news, Sara <b>/)
  const unknown = structuredClone(textsIn(EXAMPLE, 'en'))
  unknown.nodes['shop'] = { label: 'Go', url: 'https://shop.example.com/{{customAttributes.city}}' }
  assert.deepEqual(fillTexts(unknown, PERSON, null), { ok: false, token: 'customAttributes.city' })
})

test('decision 66: what Outlook for Windows is shown has widths, shapes with links, and columns in the order of the language', () => {
  const { html } = draw(EXAMPLE, 'ar')
  assert.match(html, /<!--\[if mso\]><v:roundrect [^>]*href="https:\/\/shop\.example\.com\/orders" style="height:48px;width:\d+px/)
  assert.match(html, /<!--\[if mso\]><table role="presentation" width="536" dir="rtl"/)
  // Every address of the shape is the one of the link beside it.
  assert.equal(html.split('<v:roundrect').length, html.split('class="bt"').length)
})

const bad = (change: (mail: Record<string, unknown> & typeof EXAMPLE) => unknown): string => {
  const mail = structuredClone(EXAMPLE) as Record<string, unknown> & typeof EXAMPLE
  const read = readMail('mail', change(mail) ?? mail)
  return read.ok ? 'taken' : read.error
}
const first = (mail: typeof EXAMPLE) => mail.sections[0] as Extract<(typeof EXAMPLE.sections)[0], { type: 'section' }>

test('decision 66: a mail that is wrong is refused with the place of the fault', () => {
  for (const [change, error] of [
    [() => 7, 'mail must be an object'],
    [(mail) => void Object.assign(mail, { version: 2 }), 'mail.version must be 1'],
    [(mail) => void Object.assign(mail, { kind: 'amp' }), 'mail.kind must be one of sections, html'],
    [(mail) => void Object.assign(mail, { extra: 1 }), 'mail: "extra" is not known; it takes version, kind, sections, texts'],
    [(mail) => void (mail.sections = Array.from({ length: 61 }, () => first(mail))), 'mail.sections must be an array of at most 60'],
    [(mail) => void mail.sections.unshift(mail.sections.pop()!), /^mail\.sections\[0\] must be the last section/],
    [(mail) => void (first(mail).id = 'main'), 'mail.sections[1].id "main" is there twice'],
    [(mail) => void (first(mail).id = 'hello'), 'mail.sections[0].columns[0].nodes[0].id "hello" is there twice'],
    [
      (mail) => void Object.assign(first(mail).columns[0] ?? {}, { width: 90 }),
      /^mail\.sections\[0\]\.columns: their widths must make 100 percent, and make 90/,
    ],
    [(mail) => void (first(mail).background = 'red'), 'mail.sections[0].background must be a colour such as #1d4ed8'],
    [
      (mail) => void first(mail).columns[0]?.nodes.splice(0, 1, { id: 'x', type: 'video' } as never),
      /nodes\[0\]\.type must be one of heading, text,/,
    ],
    [(mail) => void (mail.texts = {}), 'mail.texts must have the texts of at least one language'],
    [(mail) => void (mail.texts['AR'] = mail.texts['ar']!), 'mail.texts has the language AR twice'],
    [(mail) => void (textsIn(mail, 'en').nodes['nobody'] = { blocks: [] }), 'mail.texts.en.nodes["nobody"] is no node of the mail'],
    [(mail) => void (textsIn(mail, 'en').nodes['line'] = { blocks: [] }), /belongs to a divider, which says nothing/],
    [
      (mail) => void (textsIn(mail, 'en').nodes['shop'] = { label: 'x', url: ' JavaScript:alert(1)' }),
      /^mail\.texts\.en\.nodes\["shop"\]\.url must not contain blanks/,
    ],
    [(mail) => void (textsIn(mail, 'en').nodes['shop'] = { label: 'x', url: 'JAVASCRIPT:alert(1)' }), /must not use javascript: links/],
    [(mail) => void (textsIn(mail, 'en').nodes['shop'] = { label: 'x', url: 'https://a.example/\nb' }), /must not contain .*control/],
    [(mail) => void (textsIn(mail, 'en').nodes['shop'] = { label: 'x', url: `https://a.example/${'x'.repeat(10_000)}` }), /at most 2048/],
    [(mail) => void (textsIn(mail, 'en').nodes['intro'] = { blocks: [{ p: [{ v: 'x'.repeat(20_001) }] }] }), /at most 20000 characters/],
    [(mail) => void (textsIn(mail, 'en').subject = 'x'.repeat(2_000_000)), 'mail must have at most 100000 characters as JSON'],
  ] as [(mail: Record<string, unknown> & typeof EXAMPLE) => unknown, string | RegExp][]) {
    if (typeof error === 'string') assert.equal(bad(change), error)
    else assert.match(bad(change), error)
  }
})

test('decision 66: a mail that nobody gave a footer has one, with an id of its own', () => {
  const { sections, texts } = EXAMPLE
  const without = sections.slice(0, -1).map((section, index) => (index === 0 ? { ...section, id: 'footer' } : section))
  const read = readMail('mail', { version: 1, kind: 'sections', sections: without, texts })
  assert.ok(read.ok)
  assert.deepEqual(read.value.sections.at(-1), { id: 'footer-2', type: 'footer' })
  assert.equal(nodesOf(read.value).length, nodesOf(EXAMPLE).length)
})

test('decision 66: the checks before sending name what stops a mail and what somebody should look at', () => {
  const codes = (mail: MailDocument, bytes = 20_000, hasWebAddress = true) =>
    checkMail(mail, { bytesIn: () => bytes, hasWebAddress }).map(({ code, level, locale, node }) =>
      [code, level, locale, node].filter(Boolean).join(' '),
    )
  assert.deepEqual(codes(EXAMPLE), ['text_missing warn ar left-image', 'text_missing warn ar right-image', 'few_words warn ar'])
  const mail = structuredClone(EXAMPLE)
  mail.texts = { en: textsIn(mail, 'en') }
  assert.deepEqual(codes(mail, 100_001, false), ['too_large stop en', 'link_leads_nowhere stop en all'])
  assert.deepEqual(codes(mail, 90_000), ['large warn en'])
  const { nodes } = textsIn(mail, 'en')
  textsIn(mail, 'en').subject = 'BUY EVERYTHING NOW'
  nodes['shop'] = { label: '', url: 'https://shop.example.com' }
  nodes['hero'] = { src: '', alt: '' }
  nodes['all'] = { label: 'x', url: 'https://10.0.0.1/x' }
  nodes['left'] = { blocks: [{ p: [{ v: 'www.bank.example', url: 'https://other.example/' }] }] }
  nodes['right'] = { blocks: [{ p: [{ v: 'www.bank.example', url: 'https://bank.example/x' }] }] }
  assert.deepEqual(codes(mail), [
    'subject_loud warn en',
    'picture_missing stop en hero',
    'button_unfinished stop en shop',
    'link_shows_other_host stop en left',
    'link_to_number stop en all',
  ])
  mail.texts['en'] = { subject: ' ', nodes: {} }
  assert.deepEqual(codes(mail), ['subject_missing stop en', 'nothing_said stop en'])
})
