/**
 * What docs/a-mail-in-ten-minutes.md tells, done as it tells it. With `CF_PICTURES=1` its pictures are drawn anew, into
 * docs/pictures: CF_PICTURES=1 npm run test:only -- packages/dashboard/test/mails/a-mail-in-ten-minutes.test.ts
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const PICTURES = fileURLToPath(new URL('../../../../docs/pictures', import.meta.url))

const dashboard = await openDashboard()
const { admin, ws, openAs } = dashboard
await (await openEmail()).connect(admin)
await addPeople(ws, ['sara', 'omar'])
expectStatus(await admin.put('/settings/web-address', { url: 'https://shop.example.com' }), 200)
const { page, goto, context, inArabic, inEnglish } = await openAs('editor', { name: 'Noura' })

const editor = page.getByRole('dialog', { name: 'Designed mail' })
const mail = editor.getByRole('group', { name: 'Mail', exact: true })
const part = (name: string | RegExp) => mail.getByRole('group', { name })
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** The window as it stands, in both languages. */
async function picture(name: string): Promise<void> {
  if (process.env['CF_PICTURES'] !== '1') return
  mkdirSync(PICTURES, { recursive: true })
  const devtools = await context.newCDPSession(page)
  await page.setViewportSize({ width: 1200, height: 800 })
  for (const [language, switchTo] of [
    ['ar', inArabic],
    ['en', inEnglish],
  ] as const) {
    await switchTo()
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
    writeFileSync(`${PICTURES}/${name}.${language}.webp`, Buffer.from(data, 'base64'))
  }
  await devtools.detach()
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('a mail is made from a template, in two languages by keys, checked, and sent for approval', async () => {
  await goto('/campaigns/new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Come back')
  await page.getByText('Email', { exact: true }).first().click()
  await page.getByText('Designed', { exact: true }).click()
  const start = page.getByRole('dialog', { name: 'Begin the mail with' })
  await start.getByRole('button', { name: /^Newsletter/ }).waitFor()
  await picture('mail-start')
  await start.getByRole('button', { name: /^Newsletter/ }).click()
  await part(/^Heading/)
    .first()
    .waitFor()
  // The words of the heading, in English and in Arabic.
  await part(/^Heading/)
    .first()
    .focus()
  await press('Enter', 'Control+a')
  await page.keyboard.type('This month at Souq Lane')
  await press('Escape')
  await picture('mail-editor')
  await editor.getByRole('tab', { name: /^Arabic/ }).focus()
  await press('Enter')
  await part(/^Heading/)
    .first()
    .focus()
  await press('Enter', 'Control+a')
  await page.keyboard.type('هذا الشهر في سوق لين')
  await press('Escape')
  assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /هذا الشهر في سوق لين/)
  await editor.getByRole('tab', { name: /^English/ }).focus()
  await press('Enter')
  // A section one place up.
  const second = part('Section 3').first()
  const id = await second.getAttribute('data-mail-part')
  await second.focus()
  await press('Alt+ArrowUp')
  await mail.locator(`[data-mail-part="${id}"][aria-label="Section 2"]`).waitFor()
  // On a phone, and checked.
  await editor.getByRole('tab', { name: 'Preview' }).click()
  await editor.frameLocator('iframe').getByRole('heading', { name: 'This month at Souq Lane' }).waitFor()
  await picture('mail-preview')
  await editor.getByRole('tab', { name: /^Checks/ }).click()
  await editor.getByRole('status').first().waitFor()
  assert.equal(await editor.getByText('must be corrected').count(), 0)
  await editor.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('radio', { name: 'Everyone' }).check()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  const submit = page.getByRole('dialog').last()
  await submit.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('You submitted this, so another approver must approve it.').waitFor()
  const [campaign] = expectStatus(await admin.get('/campaigns'), 200).data.campaigns
  const { data } = expectStatus(await admin.get(`/campaigns/${campaign.id}`), 200)
  assert.equal(data.status, 'pending_review')
  assert.equal(data.mail.sections[1].id, id)
  for (const words of ['This month at Souq Lane', 'هذا الشهر في سوق لين']) assert.ok(JSON.stringify(data.mail.texts).includes(words))
})
