/** What goes wrong on the way is told in words: not in those of browsers, nor in the page of a proxy. */
import { test } from 'node:test'
import { create } from '../../../server/test/builders/campaigns.ts'
import { openDashboard } from '../support/browser.ts'

const { ws, page, goto, inArabic, inEnglish, shot } = await openDashboard({ isDemo: false })

const { id } = await create(await ws.editor(), { name: 'Eid' })
const CHANGE = '**/api/v1/campaigns'

/** Asks for a change that cannot come through, and waits for what is said of it. */
async function expectSaid([more, duplicate]: readonly [string, string], words: string): Promise<void> {
  await goto(`/campaigns/${id}`)
  await page.getByRole('button', { name: more, exact: true }).click()
  await page.getByRole('menuitem', { name: duplicate, exact: true }).click()
  await page.getByText(words, { exact: true }).waitFor()
}
const ENGLISH = ['More actions', 'Duplicate'] as const

test('a change that does not reach the server says so in words, in English and Arabic', async () => {
  await page.route(CHANGE, (route) => route.abort('connectionrefused'))
  await expectSaid(ENGLISH, "Can't reach the server. Check the connection. What you typed is still here.")
  await shot('error-words-away')
  await goto('/people')
  await inArabic()
  await expectSaid(['إجراءات أخرى', 'نسخ'], 'تعذر الوصول إلى الخادم. يُرجى التحقق من الاتصال. ما أدخلته باقٍ هنا.')
  await goto('/people')
  await inEnglish()
})

test('the page of a proxy is not shown as an answer', async () => {
  await page.unroute(CHANGE)
  await page.route(CHANGE, (route) => route.fulfill({ status: 413, contentType: 'text/html', body: '<html><h1>nginx</h1></html>' }))
  await expectSaid(ENGLISH, "The answer can't be read. Something between this browser and the server changed it. Try again.")
})
