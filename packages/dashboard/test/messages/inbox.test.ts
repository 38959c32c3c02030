/** The switch "Also in the inbox": in a campaign and in a step of a journey, in both languages (decision 68). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, admin, goto, expectPresentable } = await openDashboard({ isDemo: false })

const inboxSwitch = page.getByRole('switch', { name: 'Also in the inbox' })
const days = page.getByRole('textbox', { name: 'Days in the inbox' })

test('a campaign inside apps is put into the inbox for so many days, and whoever reviews it reads that', async () => {
  const content = { en: { title: 'Hello', body: 'b' }, ar: { title: 'أهلًا', body: 'ن' } }
  const body = { name: 'Stays', type: 'promo', segments: ['All users'], schedule: {}, content, dispatchChannels: ['in_app'] }
  const { id } = expectStatus(await admin.post('/campaigns', body), 201).data
  await goto(`/campaigns/${id}/edit`)
  await inboxSwitch.press('Space')
  await days.fill('0')
  await days.blur()
  await page.getByText('Enter a number from 1 to 90.').waitFor()
  await days.fill('14')
  await expectPresentable('inbox-composer')
  const stored = async () => expectStatus(await admin.get(`/campaigns/${id}`), 200).data.content
  await until('it is saved', async () => (await stored()).en.inbox?.days === 14)
  assert.deepEqual((await stored()).ar.inbox, { days: 14 })
  await goto(`/campaigns/${id}`)
  await page.getByText('In the inbox').first().waitFor()
  await page.getByText('Days: 14').first().waitFor()
  await goto(`/campaigns/${id}/edit`)
  await until('the stored switch is shown', async () => inboxSwitch.isChecked())
  await inboxSwitch.press('Space')
  await until('the switch is off', async () => !(await inboxSwitch.isChecked()))
  await until('it is gone', async () => (await stored()).en.inbox === undefined)
})

test('so is a step of a journey', async () => {
  const { id } = await makeJourney(admin, { name: 'Stays', steps: [{ id: 'hi', type: 'in_app', content: { en: { title: 'Hi' } } }] })
  await goto(`/journeys/${id}`)
  await page
    .getByRole('button', { name: /^Show an in-app message/ })
    .first()
    .click()
  await inboxSwitch.press('Space')
  await days.fill('7')
  await expectPresentable('inbox-step')
  const stored = async () => expectStatus(await admin.get(`/journeys/${id}`), 200).data.steps[0].content.en
  await until('it is saved', async () => (await stored()).inbox?.days === 7)
  assert.equal((await stored()).title, 'Hi')
})
