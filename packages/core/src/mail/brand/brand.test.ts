import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTexts } from '../fill-texts.ts'
import { renderMailDocument } from '../render-mail.ts'
import type { MailDocument, MailTexts } from '../document.ts'
import { contrast } from '../theme.ts'
import { FONT_STACKS, PLAIN_BRAND, READ_ON, THEME_MODES, themeOf, type Brand } from './brand.ts'
import { readBrand } from './read-brand.ts'

const SENT = {
  logo: { src: '/logo.png', darkSrc: 'https://img.example.com/dark.png', alt: 'Example', width: 140 },
  light: { primary: '#0F766E', link: '#0f766e' },
  font: 'georgia',
  radius: 0,
  texts: { en: { company: 'Example Shop', address: '1 Market Street\nRiyadh' }, 'ar-SA': { company: 'متجر المثال', footer: 'شكرًا' } },
  social: [{ network: 'x', url: 'https://x.com/example' }],
  linkHosts: ['Shop.Example.com', 'shop.example.com'],
}

function taken(value: unknown): Brand {
  const read = readBrand('brand', value)
  assert.ok(read.ok, read.ok ? '' : read.error)
  return read.value
}

const refusal = (value: unknown) => {
  const read = readBrand('brand', value)
  return read.ok ? 'taken' : read.error
}

test('decision 70: a brand is read member by member; what is left out is as where nobody said anything', () => {
  assert.deepEqual(taken({}), PLAIN_BRAND)
  const brand = taken(SENT)
  assert.deepEqual(brand.light, { ...PLAIN_BRAND.light, primary: '#0f766e', link: '#0f766e' })
  assert.deepEqual([brand.dark, brand.radius, brand.linkHosts], [PLAIN_BRAND.dark, 0, ['shop.example.com']])
  assert.deepEqual(brand.texts['en'], { company: 'Example Shop', address: '1 Market Street\nRiyadh', footer: '' })
  assert.deepEqual(taken(JSON.parse(JSON.stringify(brand))), brand)
})

test('decision 70: what nobody could read is refused with the pair and its contrast, in the light and in the dark', () => {
  for (const mode of THEME_MODES)
    for (const [words, on] of READ_ON) {
      assert.ok(contrast(PLAIN_BRAND[mode][words], PLAIN_BRAND[mode][on]) >= 4.5, `${mode} ${words}`)
      const colour = PLAIN_BRAND[mode][on]
      const error = refusal({ [mode]: { [words]: colour } })
      assert.equal(
        error,
        `brand.${mode}.${words} ${colour} on brand.${mode}.${on} ${colour} has a contrast of 1.00; it must have at least 4.5`,
      )
    }
})

test('decision 70: a brand that is wrong is refused with the place of the fault', () => {
  for (const [sent, error] of [
    [7, 'brand must be an object'],
    [{ extra: 1 }, /^brand: "extra" is not known; it takes logo, light, dark,/],
    [{ light: { ink: '#000000' } }, /^brand\.light: "ink" is not known/],
    [{ dark: { text: 'white' } }, 'brand.dark.text must be a colour such as #1d4ed8'],
    [{ font: 'comic' }, /^brand\.font must be one of system, arial/],
    [{ radius: 33 }, 'brand.radius must be a whole number from 0 to 32'],
    [{ logo: { src: '', alt: '', width: 100 } }, 'brand.logo.src must be the address of a picture, without tokens'],
    [{ logo: { src: '/a.png', alt: '', width: 5 } }, 'brand.logo.width must be a whole number from 16 to 536'],
    [{ logo: { src: '/{{name}}.png', alt: '', width: 100 } }, 'brand.logo.src must be the address of a picture, without tokens'],
    [{ texts: { en: { name: 'x' } } }, /^brand\.texts\.en: "name" is not known/],
    [{ texts: { en: {}, EN: {} } }, 'brand.texts has the language EN twice'],
    [{ texts: { constructor: {} } }, /^brand\.texts\.content: "constructor" is not a locale code/],
    [{ social: [{ network: 'myspace', url: 'https://a.example' }] }, /^brand\.social\[0\]\.network must be one of website, facebook/],
    [{ social: [{ network: 'x', url: 'http://x.com/a' }] }, 'brand.social[0].url must not use http: links'],
    [{ social: [{ network: 'x', url: 'mailto:a@b.example' }] }, 'brand.social[0].url must be a complete https link'],
    [{ social: ['x', 'x'].map((network) => ({ network, url: 'https://x.com/a' })) }, 'brand.social[1].network x is there twice'],
    [{ linkHosts: ['https://a.example'] }, 'brand.linkHosts[0] "https://a.example" must be a host such as shop.example.com'],
    [{ linkHosts: ['10.0.0.1'] }, /^brand\.linkHosts\[0\] "10\.0\.0\.1" must be a host/],
  ] as [unknown, string | RegExp][]) {
    if (typeof error === 'string') assert.equal(refusal(sent), error)
    else assert.match(refusal(sent), error)
  }
})

const MAIL: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 's1',
      type: 'section',
      columns: [
        {
          width: 100,
          nodes: [
            { id: 'logo', type: 'logo' },
            { id: 'shop', type: 'button' },
            { id: 'social', type: 'social', align: 'center' },
          ],
        },
      ],
    },
    { id: 's2', type: 'section', background: '#111827', columns: [{ width: 100, nodes: [{ id: 'logo2', type: 'logo' }] }] },
    { id: 'footer', type: 'footer' },
  ],
  texts: { en: { subject: 'Hello', nodes: { shop: { label: 'Shop', url: 'https://shop.example.com' } } } },
}

const textsOf = (mail: MailDocument): MailTexts => {
  const texts = mail.texts['en']
  assert.ok(texts)
  return texts
}

function draw(brand: Brand | null, locale = 'en') {
  return renderMailDocument({
    document: MAIL,
    texts: textsOf(MAIL),
    locale,
    theme: themeOf(brand),
    brand,
    unsubscribeUrl: 'https://example.com/leave',
    hrefOf: (_, url) => url,
    sourceOf: (src) => (src.startsWith('/') ? `https://shop.example.com${src}` : src),
  })
}

test('decision 70: mails take colours, letters, logo, company and social pages from the brand', () => {
  const { html, body } = draw(taken(SENT))
  assert.ok(html.includes(FONT_STACKS.georgia) && html.includes('background:#0f766e;border-radius:0px'))
  assert.match(html, /<img src="https:\/\/shop\.example\.com\/logo\.png" alt="Example" width="140" class="ll"/)
  assert.match(
    html,
    /<!--\[if !mso\]><!--><img src="https:\/\/img\.example\.com\/dark\.png" alt="Example" width="140" class="ld" style="display:none/,
  )
  // On a dark colour that somebody chose it is the dark one, in the light as well.
  assert.match(
    html,
    /bgcolor="#111827".*<img src="https:\/\/img\.example\.com\/dark\.png" alt="Example" width="140" style="display:inline-block/,
  )
  assert.match(html, />Example Shop<\/p>.*>1 Market Street<br>Riyadh<\/p>.*href="https:\/\/example\.com\/leave"/)
  assert.match(html, /<a href="https:\/\/x\.com\/example"[^>]*>X<\/a>/)
  for (const said of ['Example Shop', '1 Market Street\nRiyadh', 'X: https://x.com/example', 'Unsubscribe'])
    assert.ok(body.includes(said), said)
})

test('decision 70: the brand speaks the language of the mail, its parent, or its own first one; without a logo the company is named', () => {
  const brand = taken(SENT)
  assert.match(draw(brand, 'ar-SA').body, /متجر المثال\nشكرًا/)
  assert.match(draw(brand, 'fr').body, /Example Shop/)
  const two = taken({ ...SENT, social: ['x', 'youtube'].map((network) => ({ network, url: 'https://a.example/a' })) })
  assert.match(draw(two, 'ar').html, />X<\/a> &nbsp;&rlm;&middot;&nbsp; <a [^>]*>YouTube</)
  assert.match(draw(two, 'en').html, />X<\/a> &nbsp;&middot;&nbsp; <a [^>]*>YouTube</)
  assert.match(draw(taken({ ...SENT, logo: null })).html, /font-weight:700;color:inherit">Example Shop</)
  const plain = draw(null)
  assert.doesNotMatch(plain.html, /<img|X<|Example/)
})

test('decision 70: where hosts are named, a link that begins with a token leads to one of them or nowhere', () => {
  const texts: MailTexts = { subject: 'x', nodes: { go: { label: 'Go', url: '{{customAttributes.page}}' } } }
  const fill = (page: string, hosts: string[] = ['shop.example.com']) =>
    fillTexts(texts, { name: null, email: null, phone: null, userId: null, customAttributes: { page }, enrichment: {} }, null, hosts).ok
  assert.equal(fill('https://shop.example.com/a?b=1'), true)
  assert.equal(fill('https://SHOP.example.com:443/a'), true)
  for (const page of [
    'https://shop.example.com.evil.example/',
    'https://evil.example/?shop.example.com',
    'https://shop.example.com@evil.example/',
    'myapp://shop.example.com',
    '/a',
  ])
    assert.equal(fill(page), false, page)
  assert.equal(fill('https://evil.example/', []), true)
  // What somebody wrote leads where it says.
  const written: MailTexts = { subject: 'x', nodes: { go: { label: 'Go', url: 'https://other.example/{{name | x}}' } } }
  const nobody = { name: null, email: null, phone: null, userId: null, customAttributes: {}, enrichment: {} }
  assert.equal(fillTexts(written, nobody, null, ['shop.example.com']).ok, true)
})
