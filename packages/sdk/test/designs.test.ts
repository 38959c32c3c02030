/** What the ten designs show of a block, and what they never do. They are loaded through Vite, as apps do, and drawn to text. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer } from 'vite'
import { DESIGN_TYPES, type DesignBlock } from '../src/react/designs/reading/design-block.ts'
import type { DesignProps } from '../src/react/designs/design.tsx'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = await createServer({
  root,
  configFile: `${root}vite.config.ts`,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
after(() => vite.close())
const loaded = await vite.ssrLoadModule('/src/react/index.ts')
const Design = loaded['Design'] as ComponentType<DesignProps>

/** `fields` as `tag:type`, a text when it says nothing. */
function makeBlock(fields: string, values: { [name: string]: unknown }, designType?: string): DesignBlock {
  const parsed = fields.split(' ').map((field) => {
    const [name = '', type = 'text'] = field.split(':')
    return { tag: `#${name}`, type }
  })
  return {
    key: 'own',
    instanceId: 'i1',
    designType,
    fields: parsed,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`#${name}`, value])),
  }
}

const draw = (block: DesignBlock, props: Partial<DesignProps> = {}): string =>
  renderToStaticMarkup(createElement(Design, { block, inline: true, ...props }))

/** What people read: without the texts for screen readers alone being told apart. */
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const hrefsOf = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

const UNSAFE = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'http://a.example',
  '//evil.example/x',
  '/\\evil.example',
  'relative/path',
  'https://',
  '',
]

test('C-BLK-40 C-BLK-41 no design ever puts an unsafe link into an href, or an unsafe address into a picture', () => {
  for (const type of DESIGN_TYPES) {
    for (const address of UNSAFE) {
      const block = makeBlock('title image:image cta_label cta_url:url link_url:url phone_url:url', {
        title: 'Headline',
        image: address.startsWith('http://') ? '' : address,
        cta_label: 'Press',
        cta_url: address,
        link_url: address,
        phone_url: address,
      })
      const html = draw(block, { type })
      assert.deepEqual(hrefsOf(html), [], `${type} ${address}`)
      assert.ok(!html.includes('<img'), `${type} ${address}`)
      assert.ok(!html.includes('Press'), `${type}: a text without a link is no button`)
      assert.ok(html.includes('Headline'), type)
    }
  }
})

test('C-BLK-36 to C-BLK-39 every kind of link that may be stored becomes a link, unchanged', () => {
  for (const href of ['https://a.example/x?y=1', 'mailto:a@b.example', 'tel:+966110000100', 'myapp://offers/3', '/offers/3']) {
    for (const type of DESIGN_TYPES) {
      const html = draw(makeBlock('title cta_label cta_url:url', { title: 'T', cta_label: 'Go there', cta_url: href }), { type })
      assert.deepEqual(hrefsOf(html), [href], `${type} ${href}`)
      // A tile is one link as a whole, and its name is the text of it.
      assert.ok(type === 'tile' || html.includes('Go there'), `${type} ${href}`)
    }
  }
})

test('texts with unknown tags are shown by every design, also right to left', () => {
  const block = makeBlock('title zutaten:textarea herkunft', { title: 'Maultaschen', zutaten: 'Mehl\nEier', herkunft: 'Schwaben' })
  for (const type of DESIGN_TYPES) {
    const html = draw(block, { type, locale: 'ar' })
    for (const text of ['Maultaschen', 'Mehl', 'Eier', 'Schwaben']) assert.ok(html.includes(text), `${type} ${text}`)
    assert.match(html, /dir="rtl" lang="ar"/)
  }
})

test('instructions to the app, alternative texts and values without a descriptor are not shown', () => {
  const block = makeBlock('title text_color:select overlay:number theme id image:image image_alt autoplay:toggle max_shows:number', {
    title: 'T',
    text_color: 'dark',
    overlay: 35,
    theme: 'winter-theme',
    id: 'secret-id',
    image: 'https://a.example/p.jpg',
    image_alt: 'In words',
    autoplay: true,
    max_shows: 17,
    unknown: 'no descriptor',
  })
  for (const type of DESIGN_TYPES) {
    const text = textOf(draw(block, { type }))
    for (const hidden of ['dark', '35', 'winter-theme', 'secret-id', 'In words', '17', 'no descriptor'])
      assert.ok(!text.includes(hidden), `${type} ${hidden}`)
  }
  assert.match(draw(block, { type: 'card' }), /<img src="https:\/\/a\.example\/p\.jpg" alt="In words"/)
})

test('values of another type than their field are left out, and tags that every object has are no values', () => {
  const block = makeBlock('title body:textarea price:number items:collection constructor toString:number', {
    title: 5,
    body: ['x'],
    price: '12',
    items: [null, 'id', { values: null }, { values: {}, fields: 'no' }],
  })
  for (const type of DESIGN_TYPES) assert.doesNotMatch(textOf(draw(block, { type })), /\d|x|function|native|object/, type)
})

test('a picture that is a path comes from the origin of the content, any other address stays', () => {
  const card = (image: string, props = {}) => draw(makeBlock('title image:image', { title: 'T', image }, 'card'), props)
  assert.match(card('/images/a.svg', { assetOrigin: 'https://content.example' }), /src="https:\/\/content\.example\/images\/a\.svg"/)
  assert.match(card('/images/a.svg'), /src="\/images\/a\.svg"/)
  assert.match(card('https://a.example/a.svg', { assetOrigin: 'https://content.example' }), /src="https:\/\/a\.example\/a\.svg"/)
  assert.match(card(''), /cf-picture--missing/)
  assert.doesNotMatch(draw(makeBlock('title', { title: 'T' }, 'card')), /cf-picture/)
})

test('prices are written for the language and the currency; a currency nobody knows does not break the page', () => {
  const price = (values: object, locale = 'en') =>
    textOf(draw(makeBlock('title price:number was_price:number currency:select', { title: 'T', ...values }, 'card'), { locale }))
  assert.match(price({ price: 189, currency: 'SAR' }), /SAR\s189(?!\.)/)
  assert.match(price({ price: 79.5, currency: 'SAR' }), /SAR\s79\.50/)
  assert.match(price({ price: 189, currency: 'SAR' }, 'ar'), /ر\.س/)
  assert.match(price({ price: 199, was_price: 279, currency: 'SAR' }), /SAR\s199.*Was SAR\s279/)
  assert.doesNotMatch(price({ price: 199, was_price: 150, currency: 'SAR' }), /150/, 'a price that rose is no sale')
  assert.match(price({ price: 12, currency: 'gold coins' }), /12/)
  assert.match(price({ price: 0, currency: 'SAR' }), /SAR\s0/)
  assert.match(price({ price: 5, currency: 'EUR' }, 'not_a_locale!'), /€5/)
})

test('badges are words of the language, of the app before that, and none for the option none', () => {
  const badge = (value: string, props = {}) => textOf(draw(makeBlock('title badge:select', { title: 'T', badge: value }, 'card'), props))
  assert.match(badge('last_pieces'), /Almost gone/)
  assert.match(badge('last_pieces', { locale: 'ar' }), /آخر القطع/)
  assert.match(badge('last_pieces', { locale: 'fr', words: { 'badge.last_pieces': 'Dernières pièces' } }), /Dernières pièces/)
  assert.match(badge('hand_made'), /Hand made/)
  assert.doesNotMatch(badge('none'), /none/i)
  assert.doesNotMatch(badge('constructor'), /function/)
  const stock = makeBlock('title image:image in_stock:toggle', { title: 'T', image: 'https://a.example/a.jpg', in_stock: false }, 'card')
  assert.match(textOf(draw(stock)), /Out of stock/)
})

test('a link without a text of its own is named by what it is, and makes a card, tile, banner and hero pressable as a whole', () => {
  const store = makeBlock('title phone_url:url email_url:url map_url:url', {
    title: 'Olaya',
    phone_url: 'tel:+9661',
    email_url: 'mailto:a@b.example',
    map_url: 'https://maps.example/x',
  })
  assert.match(textOf(draw(store, { type: 'card' })), /Olaya Call Email Directions/)
  assert.match(textOf(draw(store, { type: 'card', locale: 'ar' })), /اتصال مراسلة الاتجاهات/)
  for (const type of ['card', 'tile', 'banner', 'hero'] as const) {
    const html = draw(makeBlock('title cta_url:url', { title: 'All of it', cta_url: '/c/1' }), { type })
    assert.match(html, /<h2[^>]*><a class="cf-cover" href="\/c\/1"[^>]*>All of it<\/a><\/h2>/, type)
  }
  const untitled = draw(makeBlock('image:image link:url', { image: 'https://a.example/a.jpg', link: '/c/1' }), { type: 'tile' })
  assert.match(untitled, /<a class="cf-cover" href="\/c\/1" aria-label="Open"/)
})

test('C-BLK-42 a collection draws whole blocks in order, each in its own design; what floats is a card there', () => {
  const children = [
    makeBlock('title', { title: 'First' }, 'tile'),
    makeBlock('title', { title: 'Second' }, 'popup'),
    makeBlock('title', { title: 'Third' }, 'toast'),
  ]
  for (const type of ['carousel', 'panel', 'hero', 'banner', 'popup', 'card'] as const) {
    const html = draw(makeBlock('title items:collection', { title: 'Outer', items: children }), { type })
    assert.match(textOf(html), /First Second Third/, type)
    assert.match(html, /cf-tile-title">First/, type)
    assert.match(html, /<h3[^>]*class="cf-card-title">Second/, type)
    assert.equal(html.match(/role="dialog"/g)?.length ?? 0, type === 'popup' ? 1 : 0, type)
    assert.ok(!html.includes('role="status"><div class="cf-toast"'), type)
  }
  const rows = draw(makeBlock('title items:collection', { title: 'Outer', items: children }, 'list'))
  assert.match(textOf(rows), /Outer First Second Third/)
})

test('a list hides the numbers of items when it says so', () => {
  const tile = makeBlock('title item_count:number', { title: 'Women', item_count: 412 }, 'tile')
  const list = (show: boolean) =>
    textOf(
      draw(makeBlock('items:collection layout:select show_counts:toggle', { items: [tile], layout: 'grid', show_counts: show }, 'list')),
    )
  assert.match(list(true), /412 items/)
  assert.doesNotMatch(list(false), /412/)
  assert.match(textOf(draw(tile, { locale: 'ar' })), /412 منتجًا/)
})

test('popup, toast and tooltip are what they are for screen readers, inline and over the page', () => {
  const block = makeBlock('title body secondary_label show_close:toggle', {
    title: 'Hello',
    body: 'There',
    secondary_label: 'Not now',
    show_close: false,
  })
  assert.match(draw(block, { type: 'popup' }), /role="dialog" aria-labelledby=/)
  assert.match(draw(block, { type: 'popup', inline: false }), /<dialog class="cf-popup" aria-labelledby=/)
  assert.match(draw(block, { type: 'popup' }), /Not now<\/button>/)
  assert.doesNotMatch(draw(block, { type: 'popup' }), /aria-label="Close"/)
  const noWayOut = makeBlock('title show_close:toggle', { title: 'Hello', show_close: false })
  assert.match(draw(noWayOut, { type: 'popup' }), /aria-label="Close"/, 'a popup can always be left')
  assert.match(draw(block, { type: 'toast' }), /role="status"/)
  assert.match(draw(block, { type: 'tooltip' }), /role="note"/)
  assert.match(draw(block, { type: 'tooltip', children: 'What it is about' }), /What it is about/)
})

test('a banner is closed only when the block allows it', () => {
  const banner = (mayClose?: boolean) => draw(makeBlock('title dismissible:toggle', { title: 'T', dismissible: mayClose }, 'banner'))
  assert.match(banner(true), /aria-label="Close"/)
  assert.doesNotMatch(banner(false), /aria-label="Close"/)
  assert.doesNotMatch(banner(), /aria-label="Close"/)
})

test('a block without a design type, or with one of a later server, is a card', () => {
  for (const type of [undefined, 'hologram', 'constructor']) assert.match(draw(makeBlock('title', { title: 'T' }, type)), /class="cf-card"/)
})

type Manifest = { blocks: { fields: { tag: string; type: string }[]; designType: string; instances: ManifestInstance[] }[] }
type ManifestInstance = {
  title: string
  values: { [tag: string]: unknown }
  translations?: { [locale: string]: { [tag: string]: unknown } }
}

test('every block of the demo shop shows its texts in both languages, and no picture of it is missing', () => {
  const path = new URL('../../../examples/shop/manifest.json', import.meta.url)
  const { blocks } = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  for (const { fields, designType, instances } of blocks) {
    for (const { title, values, translations } of instances) {
      for (const locale of ['en', 'ar']) {
        const block = { fields, designType, values: { ...values, ...translations?.[locale] } }
        const html = draw(block, { locale })
        for (const { tag, type } of fields) {
          const value = block.values[tag]
          if (type === 'textarea' || tag === '#title' || tag === '#text' || tag === '#message')
            for (const line of typeof value === 'string' ? value.split('\n') : [])
              assert.ok(html.includes(escape(line)), `${title} ${locale} ${tag}`)
        }
      }
    }
  }
  const images = readFileSync(path, 'utf8').match(/\/demo\/shop\/images\/[\w.-]+/g) ?? []
  assert.ok(images.length > 40)
  for (const image of images) readFileSync(new URL(`../../../examples/shop/public/${image.slice('/demo/shop/'.length)}`, import.meta.url))
})

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;')
}
