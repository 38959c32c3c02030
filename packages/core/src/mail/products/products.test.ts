/** Products laid into a mail, whatever a person's attribute holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '../example-mail.ts'
import { checkWholeMail, mailBytes } from '../measure-mail.ts'
import { exampleAttributes, layProducts, withItems, withoutItems } from './products.ts'
import type { ProductSection } from './product-section.ts'

const section = (more: Partial<ProductSection> = {}): ProductSection => ({
  id: 'cart',
  type: 'products',
  source: { trait: 'cart' },
  columns: 3,
  limit: 12,
  show: ['name', 'price'],
  ...more,
})
const mailOf = (more: Partial<ProductSection> = {}) => ({ ...EXAMPLE, sections: [section(more), ...EXAMPLE.sections] })
const texts = EXAMPLE.texts['en'] ?? assert.fail('it is in English')
const lay = (cart: unknown, more: Partial<ProductSection> = {}, locale = 'en') =>
  layProducts({ document: mailOf(more), texts }, { locale, attributes: { customAttributes: { cart }, enrichment: {} }, schemes: null })

test('rows are as wide as they are asked for, and the last has places without a product', () => {
  const laid = lay(Array.from({ length: 30 }, (_, index) => ({ name: `N${index}`, price: index }))) ?? assert.fail()
  const rows = laid.document.sections.filter(({ id }) => id.startsWith('cart.'))
  assert.deepEqual(
    rows.map((row) => (row.type === 'section' ? row.columns.map(({ width, nodes }) => [width, nodes.length]) : [])),
    Array.from({ length: 4 }, () => [
      [33, 2],
      [34, 2],
      [33, 2],
    ]),
    'no more than 12 are read',
  )
  const two = lay([{ name: 'A' }, { name: 'B' }, { name: 'C' }], { columns: 2 }) ?? assert.fail()
  const last = two.document.sections[1]
  assert.ok(last?.type === 'section')
  assert.deepEqual(
    last.columns.map(({ nodes }) => nodes.map(({ id }) => id)),
    [['cart.3.name'], []],
  )
  assert.equal(
    Object.keys(texts.nodes).some((id) => id.startsWith('cart.')),
    false,
    'the mail itself is what it was',
  )
})

test('whatever an attribute holds that is no product is left out', () => {
  for (const cart of [undefined, null, 'x', 7, {}, [], [null, [], 'x', {}, { name: '' }, { name: ' \u200b' }, { name: {} }]]) {
    const laid = lay(cart) ?? assert.fail()
    assert.deepEqual(laid.document.sections, EXAMPLE.sections)
  }
  const own = layProducts(
    { document: mailOf({ source: { trait: 'constructor' } }), texts },
    { locale: 'en', attributes: { customAttributes: {}, enrichment: {} }, schemes: null },
  )
  assert.deepEqual(own?.document.sections, EXAMPLE.sections)
  const alone = { ...EXAMPLE, sections: [section(), { id: 'footer', type: 'footer' as const }] }
  assert.equal(layProducts({ document: alone, texts }, { locale: 'en', attributes: exampleAttributes(EXAMPLE), schemes: null }), undefined)
})

test('prices are written as the language does, and as plain numbers where nobody knows the currency', () => {
  const priceOf = (item: object, locale?: string) => {
    const laid = lay([{ name: 'N', ...item }], {}, locale) ?? assert.fail()
    return JSON.stringify(laid.texts.nodes['cart.1.price'] ?? null)
  }
  assert.match(priceOf({ price: '1234.5', currency: 'USD' }), /\$1,234\.50/)
  assert.match(priceOf({ price: 5, currency: 'doll' }), /"5"/)
  assert.equal(priceOf({ price: 'five' }), 'null')
  assert.match(priceOf({ price: 5, currency: 'SAR' }, 'ar'), /٥٫٠٠|5\.00/)
})

test('a mail is measured with as many products as it may have, and keeps no content that was written into it', () => {
  assert.ok(mailBytes(mailOf(), 'en') > mailBytes(EXAMPLE, 'en') + 2_000)
  assert.deepEqual(checkWholeMail(mailOf(), 'https://shop.example'), checkWholeMail(EXAMPLE, 'https://shop.example'))
  const written = mailOf({ source: { block: 'b', instances: ['x', 'y'] } })
  const filled = withItems(written, (_, id, locale) => (id === 'x' ? { name: `${locale} ${id}` } : undefined))
  const [first] = filled.sections
  assert.ok(first?.type === 'products' && 'block' in first.source)
  assert.deepEqual(first.source.items, { en: [{ name: 'en x' }], ar: [{ name: 'ar x' }] })
  assert.deepEqual(withoutItems(filled), written)
})
