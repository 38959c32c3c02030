/** Templates of mails, parts that mails share, and the brand that all of them have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, openAs, expectPresentable, shot } = await openDashboard()

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = page.getByRole('dialog')
const part = (name: string | RegExp) => page.getByRole('group', { name: 'Mail', exact: true }).getByRole('group', { name })
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const listed = async (): Promise<any[]> => expectStatus(await admin.get('/mails'), 200).data.mails
const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as typeof EXAMPLE

test('decision 71: a template is begun from the gallery, written, kept in versions, archived and restored', async () => {
  await goto('/mails')
  await said('No templates yet')
  await expectPresentable('mails-empty')
  await button('New template').click()
  await dialog
    .getByRole('button', { name: /^Welcome/ })
    .first()
    .waitFor()
  await shot('mails-gallery-1440-en')
  await shot('mails-gallery-390-ar', { width: 390, language: 'ar' })
  await dialog
    .getByRole('button', { name: /^Welcome/ })
    .first()
    .click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Hello')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/mails\/[^/]+$/)
  await part(/^Heading/)
    .first()
    .click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Good to see you')
  await button('Save').click()
  await said('Saved')
  await expectPresentable('mail-template')
  const [first] = await listed()
  assert.deepEqual([first.name, first.version], ['Hello', 2])
  // The first version comes back into the editor.
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await dialog.getByText('Version 1', { exact: true }).waitFor()
  await shot('mail-versions-1440-en')
  await dialog.getByRole('button', { name: 'Take this version' }).click()
  await said('Version 1 is in the editor. Save to keep it.')
  await part(/^Heading: Good to see you/).waitFor({ state: 'detached' })
  await button('Save').click()
  await until('a third version is stored', async () => (await listed())[0].version === 3)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await said('This is archived')
  assert.deepEqual(await listed(), [])
  await button('Restore').click()
  await button('Save').waitFor()
  await goto('/mails')
  await page.getByRole('link', { name: 'Hello' }).waitFor()
  await expectPresentable('mails')
})

test('what somebody else saved meanwhile is not lost', async () => {
  const { id } = expectStatus(await admin.post('/mails', { kind: 'template', name: 'Shared', document: MAIL }), 201).data
  await goto(`/mails/${id}`)
  await part(/^Heading: Good news/).waitFor()
  await page.getByRole('textbox', { name: 'Category' }).fill('Mine')
  expectStatus(await admin.put(`/mails/${id}`, { category: 'Theirs' }), 200)
  await button('Save').click()
  await said('Changed meanwhile')
  await button('Overwrite').click()
  await until('mine is stored', async () => (await listed()).some((mail) => mail.category === 'Mine'))
})

test('a saved part stands in a mail, and a viewer reads both', async () => {
  const shared = expectStatus(await admin.post('/mails', { kind: 'part', name: 'Delivery notes', document: MAIL }), 201).data
  const { id } = expectStatus(
    await admin.post('/mails', {
      kind: 'template',
      name: 'With notes',
      document: { ...MAIL, texts: { en: { subject: 'Hi', nodes: {} } } },
    }),
    201,
  ).data
  await goto(`/mails/${id}`)
  await button('Saved part').click()
  await page.getByRole('menuitem', { name: 'Delivery notes' }).click()
  await part('Saved part: Delivery notes').getByText('Socks & <shoes>').waitFor()
  await page.getByRole('tab', { name: 'Preview' }).click()
  await page.frameLocator('iframe').getByText('Socks & <shoes>').waitFor()
  await button('Save').click()
  await until('the part is in the stored mail', async () =>
    expectStatus(await admin.get(`/mails/${id}`), 200).data.document.sections.some((each: any) => each.part === shared.id),
  )
  const viewer = await openAs('viewer')
  await viewer.goto(`/mails/${id}`)
  await viewer.page.frameLocator('iframe').getByText('Socks & <shoes>').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Save' }).count(), 0)
})

test('the brand says how well its colours are read, is shown in a mail at once, and reaches every mail', async () => {
  await goto('/settings/brand')
  await page.getByRole('textbox', { name: 'Buttons', exact: true }).fill('#fde68a')
  await said(/Contrast on “Buttons” is 1\./)
  await page.getByRole('textbox', { name: 'Words on buttons', exact: true }).fill('#1f2937')
  await said(/Contrast on “Buttons”: 1\d/)
  await page.getByRole('textbox', { name: 'Name of the company' }).fill('Souq Lane')
  await page.getByRole('textbox', { name: 'Postal address' }).fill('1 Market Street, Riyadh')
  await button('Add a page').click()
  await page.getByRole('textbox', { name: 'Address: Website' }).fill('https://shop.example.com')
  const frame = page.frameLocator('iframe')
  await frame.getByText('1 Market Street, Riyadh').waitFor()
  assert.equal(
    await frame
      .getByText('See the order')
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor),
    'rgb(253, 230, 138)',
  )
  await button('Save').click()
  await said('Brand saved')
  await expectPresentable('settings-brand')
  const { data } = expectStatus(await admin.get('/settings/brand'), 200)
  assert.deepEqual([data.isSet, data.brand.light.primary, data.brand.texts.en.company], [true, '#fde68a', 'Souq Lane'])
  const { id } = expectStatus(await admin.post('/mails', { kind: 'template', name: 'Branded', document: MAIL }), 201).data
  await goto(`/mails/${id}`)
  await part('Footer').getByText('1 Market Street, Riyadh').waitFor()
  // What the server would not take is said by it, and nothing typed is lost.
  await goto('/settings/brand')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('#ffffff')
  await button('Save').click()
  await said(/has a contrast of|contrast/)
  await goto('/settings/brand')
})
