/** A variant's mail, written in the composer over the designed mail of the campaign. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { create } from '../../../server/test/builders/campaigns.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, expectPresentable } = await openDashboard()
const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as typeof EXAMPLE

const stored = async (id: string): Promise<Campaign> => expectStatus(await admin.get(`/campaigns/${id}`), 200).data
const dialog = page.getByRole('dialog', { name: 'Mail of variant B' })
const mail = dialog.getByRole('group', { name: 'Mail', exact: true })
const part = (name: string | RegExp) => mail.getByRole('group', { name, exact: typeof name === 'string' })

test('decision 72: a variant says other words in the mail and leaves parts out, in every language of the campaign', async () => {
  const { id } = await create(admin, { name: 'Two ways', content: {}, dispatchChannels: ['email'], mail: MAIL })
  await goto(`/campaigns/${id}/edit`)
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByRole('button', { name: 'Add variant' }).click()
  const card = page.getByRole('group', { name: 'Mail of this variant' })
  await card.getByText('It goes out as the designed mail.').waitFor()
  await card.getByRole('button', { name: 'Write this variant’s mail' }).click()
  await mail.waitFor()
  // Its structure is that of the mail.
  assert.equal(await dialog.getByRole('group', { name: 'Add to the mail' }).count(), 0)
  await dialog.getByRole('textbox', { name: 'Subject', exact: true }).fill('It is on its way')
  await part(/^Button/)
    .first()
    .click()
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Open it')
  await part(/^Picture/)
    .first()
    .click()
  await page.keyboard.press('Delete')
  await dialog.getByRole('button', { name: /^Put back: Picture/ }).waitFor()
  await part('Section 3').first().focus()
  await page.keyboard.press('Delete')
  await dialog.getByRole('button', { name: /^Put back: Section 3/ }).waitFor()
  await expectPresentable('composer-variant-mail')
  await dialog.getByRole('button', { name: /^Put back: Section 3/ }).click()
  await part('Section 3').waitFor()
  await dialog.getByRole('tab', { name: /^Arabic/ }).click()
  await dialog.getByRole('textbox', { name: 'Subject', exact: true }).fill('في الطريق')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await card.getByText('3 texts of its own.').waitFor()
  await expectPresentable('composer-variant-mail-card')
  await until('the draft saves itself', async () => {
    const { content } = await stored(id)
    return content['ar']?.variants?.[1]?.mail?.texts?.['ar']?.subject === 'في الطريق'
  })
  const { content, mail: kept } = await stored(id)
  assert.deepEqual(kept, MAIL)
  assert.deepEqual(content['en'], content['ar'])
  const [first, second] = content['en']?.variants ?? []
  assert.equal(first?.mail, undefined)
  assert.equal(second?.mail?.texts?.['en']?.subject, 'It is on its way')
  assert.deepEqual(
    Object.values(second.mail.texts['en'].nodes ?? {}).map((text) => ('label' in text ? text.label : undefined)),
    ['Open it'],
  )
  assert.equal(second.mail.hidden?.length, 1)
})

test('what a variant said of a part goes with the part, and a variant is as the mail again', async () => {
  const own = { texts: { en: { subject: 'Other', nodes: {} } } }
  const variants = [
    { id: 'A', weight: 1, values: {} },
    { id: 'B', weight: 1, values: {}, mail: own },
  ]
  const { id } = await create(admin, { name: 'Back', content: { en: { variants } }, dispatchChannels: ['email'], mail: MAIL })
  await goto(`/campaigns/${id}/edit`)
  await page.getByRole('tab', { name: 'Variant B' }).click()
  const card = page.getByRole('group', { name: 'Mail of this variant' })
  await card.getByText('1 text of its own.').waitFor()
  await card.getByRole('button', { name: 'As the designed mail' }).click()
  await card.getByText('It goes out as the designed mail.').waitFor()
  await until('the draft saves itself', async () => (await stored(id)).content['en']?.variants?.[1]?.mail === undefined)
})
