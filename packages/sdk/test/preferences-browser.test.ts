/** The preferences of a person in an app, in a real browser on a real server: seen, chosen, refused, in both directions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectStatus } from '../../server/test/builders/builders.ts'
import { addPeople } from '../../server/test/builders/sends.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { until } from '../../server/test/harness/until.ts'
import { openBuiltPage } from './support/built-page.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const { workspace, url } = await startApp()
const { origin, browser } = await openBuiltPage('preferences-page')

for (const [locale, words] of [
  ['en', { title: 'Your message preferences', topic: 'News', email: 'Email', often: 'Messages in a week, at most', saved: 'Saved' }],
  [
    'ar',
    {
      title: 'تفضيلات رسائلك',
      topic: 'الأخبار',
      email: 'البريد الإلكتروني',
      often: 'عدد الرسائل في الأسبوع على الأكثر',
      saved: 'تم الحفظ',
    },
  ],
] as const)
  test(`a person chooses in the app, in ${locale}`, async () => {
    const ws = await workspace()
    expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
    const topic = { id: 'news', names: { en: 'News', ar: 'الأخبار' }, channels: ['email'] }
    expectStatus(await ws.admin.post('/message-topics', topic), 201)
    await addPeople(ws, ['U'])
    const context = await browser.newContext({ viewport: { width: 400, height: 800 } })
    const page = await context.newPage()
    await page.goto(`${origin}/?${new URLSearchParams({ key: ws.live, baseUrl: `${url}/sdk/v1`, locale })}`)
    await page.waitForFunction('client.snapshot().status === "ready"')
    const centre = page.getByRole('region', { name: words.title })
    assert.equal(await centre.getByRole('checkbox').count(), 0, 'of nobody there is nothing to choose')
    await page.evaluate('client.identify({ consent: true, userId: "U" })')
    const news = centre.getByRole('group', { name: words.topic }).getByLabel(words.email)
    await news.uncheck()
    await centre.getByRole('status').getByText(words.saved).waitFor()
    await centre.getByLabel(words.often).selectOption('2')
    const chosen = async (): Promise<string[]> =>
      expectStatus(await ws.admin.get('/users/U/consents'), 200).data.consents.map(({ channel }: any) => channel)
    await until('the limit is saved', async () => (await chosen()).includes('frequency:2'))
    assert.ok((await chosen()).includes('topic:news'))
    await page.evaluate(AXE)
    assert.deepEqual(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'), [])
    assert.equal(await centre.getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
    // What cannot be saved is said, and the box says what holds.
    await context.setOffline(true)
    await news.click()
    await centre
      .getByRole('status')
      .getByText(locale === 'ar' ? 'تعذّر الحفظ' : 'could not be saved')
      .waitFor()
    assert.equal(await news.isChecked(), false)
    await context.close()
  })
