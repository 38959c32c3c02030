/** A campaign whose email is a mail of sections: what members see of it before it goes out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { create, submit } from '../../../server/test/builders/campaigns.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, expectPresentable } = await openDashboard({ isDemo: false })
const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as typeof EXAMPLE

test('decision 66: the preview draws the mail of sections, and whoever approves reads every word of it', async () => {
  const editor = await ws.editor()
  const body = {
    name: 'Orders',
    content: { en: { title: 'Short' }, ar: { title: 'قصير' } },
    dispatchChannels: ['push', 'email'],
    mail: MAIL,
  }
  const { id } = await create(editor, body)
  expectStatus(await submit(editor, id), 200)
  await goto(`/campaigns/${id}`)
  await page.getByText('English · Designed email').waitFor()
  await page.getByText('1. Open').first().waitFor()
  await page.getByText('5 sections, in').waitFor()
  await page.getByRole('radiogroup', { name: 'Channel' }).getByText('Email').click()
  await page.getByRole('heading', { name: 'Good news, Sara', includeHidden: true }).waitFor()
  assert.equal((await page.getByText('Free to send back for').count()) > 0, true)
  await expectPresentable('campaign-designed-mail')
})

test('decision 73: a mail of own HTML is shown as a page of its own, in which nothing runs', async () => {
  const html =
    '<title>Hello</title><style>p{color:#b91c1c}</style><p>Dear {{name | friend}}</p><p><a href="https://shop.example.com/">Shop</a></p>'
  const { document } = expectStatus(await ws.admin.post('/mails/import-html', { html, locale: 'en' }), 200).data
  const body = { name: 'Own', content: { en: { title: 'Short' } }, dispatchChannels: ['email'], mail: document }
  const { id } = await create(await ws.editor(), body)
  expectStatus(await submit(await ws.editor(), id), 200)
  await goto(`/campaigns/${id}`)
  const frame = page.frameLocator('iframe[sandbox=""]')
  await frame.getByText('Dear Sara').waitFor()
  await frame.getByText('Unsubscribe from these emails').waitFor()
  assert.equal(await frame.getByText('Dear Sara').evaluate((element) => getComputedStyle(element).color), 'rgb(185, 28, 28)')
  await page.getByText('HTML of its own').waitFor()
  await expectPresentable('campaign-html-mail')
})

test('the composer keeps a mail of sections that it does not write', async () => {
  const { id } = await create(ws.admin, { name: 'Orders 2', content: { en: { title: 'Short' } }, dispatchChannels: ['email'], mail: MAIL })
  await goto(`/campaigns/${id}/edit`)
  await page.getByRole('heading', { name: 'Good news, Sara', includeHidden: true }).waitFor()
  await page.getByLabel('Name').first().fill('Orders 3')
  const stored = async () => expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data
  await until('the draft saves itself', async () => (await stored()).name === 'Orders 3')
  assert.deepEqual((await stored()).mail, MAIL)
})

test('decision 73: HTML is brought in the composer, said to be cleaned of what, previewed, and given up again', async () => {
  const { id } = await create(ws.admin, {
    name: 'Brought',
    content: { en: { title: 'Short', body: 'Texts' } },
    dispatchChannels: ['email'],
  })
  const stored = async () => expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data
  await goto(`/campaigns/${id}/edit`)
  const kinds = page.getByRole('radiogroup', { name: 'Email' })
  await kinds.getByText('Your HTML').click()
  await page.getByRole('button', { name: 'Bring HTML in English' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('HTML of the email').fill('<title>Hello</title>\n<p onclick="x()">Dear {{name | friend}}</p>\n<script>x</script>')
  await expectPresentable('composer-bring-html')
  await dialog.getByRole('button', { name: 'Clean it, then use it' }).click()
  await dialog.getByText('Some of it was taken out').waitFor()
  await dialog.getByText('onclick of <p>').waitFor()
  await dialog.getByText('Line 3:').waitFor()
  await expectPresentable('composer-html-removed')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.frameLocator('iframe[sandbox=""]').getByText('Dear Sara').waitFor()
  await until('the draft saves itself', async () => (await stored()).mail?.kind === 'html')
  assert.match((await stored()).mail.texts.en.html, /<p>Dear \{\{name \| friend\}\}<\/p>/)
  await kinds.getByText('Simple').click()
  await until('the texts are back', async () => (await stored()).mail === undefined)
  await kinds.getByText('Your HTML').click()
  await until('the HTML is there again', async () => (await stored()).mail?.kind === 'html')
})
