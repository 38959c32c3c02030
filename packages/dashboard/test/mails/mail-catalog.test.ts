/** Texts of the catalog and products from content, chosen in the editor of mails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { create } from '../../../server/test/builders/campaigns.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, expectPresentable } = await openDashboard()

const dialog = page.getByRole('dialog', { name: 'Designed mail' })
const mail = dialog.getByRole('group', { name: 'Mail', exact: true })
const part = (name: string | RegExp) => mail.getByRole('group', { name, exact: typeof name === 'string' })
const button = (name: string) => dialog.getByRole('button', { name, exact: true })
const stored = async (id: string): Promise<MailDocument> => expectStatus(await admin.get(`/campaigns/${id}`), 200).data.mail

async function open(name: string): Promise<string> {
  const { id } = await create(admin, { name, content: {}, dispatchChannels: ['email'], mail: EXAMPLE })
  await goto(`/campaigns/${id}/edit`)
  await page.getByRole('button', { name: 'Edit the mail' }).click()
  await mail.waitFor()
  return id
}

test('decision 72: a heading is taken from the catalog of texts in all languages, and written here again', async () => {
  expectStatus(await admin.post('/strings', { key: 'mail.hello', sourceText: 'Welcome, {{name | friend}}' }), 201)
  expectStatus(await admin.put('/strings/mail.hello/translations/ar', { text: 'أهلًا {{name | friend}}' }), 200)
  expectStatus(await admin.post('/strings/mail.hello/translations/ar/approve'), 200)
  const id = await open('Catalog')
  await part(/^Heading/)
    .first()
    .focus()
  await button('Take from the catalog of texts').click()
  await dialog.getByRole('combobox', { name: 'Text of the catalog' }).fill('hello')
  await page.getByRole('option', { name: /mail\.hello/ }).waitFor()
  await expectPresentable('mail-editor-catalog-search')
  await page.getByRole('option', { name: /mail\.hello/ }).click()
  await part('Heading: Welcome, {{name | friend}}').waitFor()
  await dialog.getByText('أهلًا').first().waitFor()
  // Its words are written elsewhere.
  await part(/^Heading/)
    .first()
    .click()
  assert.equal(await dialog.getByRole('textbox', { name: /^Words of/ }).count(), 0)
  await expectPresentable('mail-editor-catalog')
  await until('the draft saves itself', async () => {
    const { texts } = await stored(id)
    return ['en', 'ar'].every((locale) => JSON.stringify(texts[locale]?.nodes['hello']).includes('"string":"mail.hello"'))
  })
  await button('Write it here').click()
  await button('Write').waitFor()
  await until('the words are those of the mail', async () => {
    const text = (await stored(id)).texts['en']?.nodes['hello']
    return text !== undefined && !('string' in text) && JSON.stringify(text).includes('Welcome')
  })
})

test('decision 72: products are chosen from content, in their order, and drawn as they are', async () => {
  const fields = ['name', 'image', 'price', 'currency', 'url'].map((name) => ({ tag: `#${name}`, type: 'text', required: false }))
  expectStatus(await admin.post('/blocks', { key: 'product', name: 'Product', fields }), 201)
  const add = async (name: string, price: string) => {
    const values = { '#name': name, '#price': price, '#currency': 'SAR', '#url': 'https://shop.example.com/p', '#image': '' }
    const { id } = expectStatus(await admin.post('/blocks/product/instances', { title: name, values }), 201).data
    expectStatus(await admin.post(`/blocks/product/instances/${id}/publish`), 200)
    return id as string
  }
  const [scarf, socks] = [await add('Scarf', '40'), await add('Socks', '15')]
  const id = await open('Products')
  await part(/^Section 4/).focus()
  await button('Products').click()
  await dialog.getByRole('radiogroup', { name: 'Where they come from' }).getByText('Content').click()
  await dialog.getByRole('combobox', { name: 'Content type' }).click()
  await page.getByRole('option', { name: 'Product', exact: true }).click()
  const chosen = dialog.getByRole('list', { name: 'Chosen products' }).getByRole('listitem')
  for (const name of ['Scarf', 'Socks']) {
    await dialog.getByRole('combobox', { name: 'Add a product' }).fill(name)
    await page.getByRole('option', { name }).click()
    await chosen.filter({ hasText: name }).waitFor()
  }
  await button('Move Socks earlier').click()
  await chosen.first().filter({ hasText: 'Socks' }).waitFor()
  // No hint of a button lies over the page.
  await page.mouse.move(5, 5)
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  await expectPresentable('mail-editor-products')
  await dialog.getByRole('tab', { name: 'Preview' }).click()
  await dialog.frameLocator('iframe').getByText('Socks', { exact: true }).waitFor()
  await until('the draft saves itself', async () => {
    const products = (await stored(id)).sections.find(({ type }) => type === 'products')
    return (
      products?.type === 'products' &&
      'block' in products.source &&
      JSON.stringify([products.source.instances, products.source.items?.['en']?.map(({ name }) => name)]) ===
        JSON.stringify([
          [socks, scarf],
          ['Socks', 'Scarf'],
        ])
    )
  })
})
