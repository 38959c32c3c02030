/** Topics in the dashboard, and the page on which people choose among them: with a screen reader, on a phone, and without script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { identify, personRow } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const PUBLIC = 'https://flow.example'
const view = await openDashboard({ isDemo: false, env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC } })
const { page, goto, ws, app, openAs, expectPresentable, expectAccessible, expectFits, shot, inWidth } = view
const dialog = page.getByRole('dialog')

async function pathTo(userId: string): Promise<string> {
  const { id = '' } = (await personRow(app.ctx, ws.id, userId)) ?? {}
  const day = app.ctx.clock.now().toISOString().slice(0, 10)
  return `/api/v1/preferences/${(await app.ctx.links.sealer('preferences'))([ws.id, id, day])}`
}

test('an admin adds topics, changes and archives them; others see them', async () => {
  await goto('/settings/topics')
  await page.getByText('No topics yet').waitFor()
  await expectPresentable('settings-topics-none')
  await page.getByRole('button', { name: 'Add a topic' }).click()
  await dialog.getByRole('button', { name: 'Add a topic' }).click()
  await dialog.getByText('Begin with a letter; then').waitFor()
  await dialog.getByLabel('ID').fill('news')
  await dialog.getByLabel('Name in English').fill('News')
  await dialog.getByLabel('Name in Arabic').fill('الأخبار')
  await dialog.getByLabel('Description in English').fill('What is new in our shops, once a week')
  await dialog.getByLabel('SMS').check()
  await expectPresentable('settings-topic')
  await dialog.getByRole('button', { name: 'Add a topic' }).click()
  await page.getByRole('row', { name: /News/ }).waitFor()
  const offers = { id: 'offers', names: { en: 'Offers', ar: 'العروض' }, channels: ['email'], mode: 'opt_in', position: 1 }
  expectStatus(await ws.admin.post('/message-topics', offers), 201)
  expectStatus(await ws.admin.post('/message-topics', { ...offers, id: 'old', names: { en: 'Old' } }), 201)
  await page.reload()
  await page.getByRole('button', { name: 'Archive: Old' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('row', { name: /Old/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit: Offers' }).click()
  await dialog.getByLabel('gets it', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Topic saved').first().waitFor()
  await page.getByLabel('always').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  await expectPresentable('settings-topics')
  const { topics } = expectStatus(await ws.admin.get('/message-topics'), 200).data
  assert.deepEqual(
    topics.map(({ id, mode, channels }: any) => [id, mode, channels]),
    [
      ['news', 'opt_out', ['email', 'sms']],
      ['offers', 'opt_out', ['email']],
    ],
  )
  assert.equal(expectStatus(await ws.admin.get('/settings/preference-page'), 200).data.inMails, 'always')
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/topics')
  await viewer.page.getByRole('row', { name: /News/ }).waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Add a topic' }).count(), 0)
})

test('a campaign and a step of a journey are about a topic that is sent over their channels', async () => {
  const email = await openEmail()
  await email.connect(ws.admin)
  await inWidth(1440)
  await goto('/campaigns/new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  await shot('composer')
  await page.getByLabel('Topic', { exact: true }).first().click()
  await page.getByRole('option', { name: 'News' }).click()
  await shot('composer-topic')
})

test('a person chooses without script, in their language, on a phone; the dashboard tells what they chose', async () => {
  await addPeople(ws, ['sara'], () => ({ phone: '+966501234542' }))
  await identify(ws.app, 'D', 'sara')
  const path = await pathTo('sara')
  const browser = view.context.browser() ?? assert.fail()
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'ar-SA', viewport: { width: 390, height: 844 } })
  const own = await context.newPage()
  await own.goto(view.url + path)
  await own.getByRole('heading', { name: 'تفضيلات رسائلك' }).waitFor()
  await own.getByRole('link', { name: 'English' }).click()
  await own.getByRole('group', { name: 'News' }).getByLabel('Email').uncheck()
  await own.getByLabel('Messages in a week, at most').selectOption('2')
  await own.getByRole('button', { name: 'Save my choice' }).click()
  await own.getByText('Your choice is saved.').waitFor()
  assert.equal(await own.getByRole('group', { name: 'News' }).getByLabel('Email').isChecked(), false)
  await own.getByRole('button', { name: 'Ask for my data' }).click()
  await own.getByRole('status').getByText('Your request is with the sender').waitFor()
  await context.close()
  await inWidth(1440)
  await goto('/people/requests')
  await page.getByText('Their page of preferences').first().waitFor()
  await goto('/people/sara?tab=consent')
  await page.getByText('Chosen on the page of preferences').waitFor()
  await page.getByText('At most 2 messages a week').waitFor()
  await page.getByText('News, Email').first().waitFor()
  await expectPresentable('person-preferences')
})

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="140" height="40"><rect width="140" height="40" rx="6" fill="#0f766e"/><text x="70" y="26" font-size="18" text-anchor="middle" fill="#fff">Example</text></svg>`
const BRAND = {
  logo: { src: 'https://img.example.com/logo.svg', alt: 'Example Shop', width: 140 },
  light: { page: '#ecfdf5', primary: '#0f766e', link: '#0f766e' },
  dark: {
    page: '#042f2e',
    surface: '#134e4a',
    text: '#f0fdfa',
    muted: '#ccfbf1',
    link: '#99f6e4',
    primary: '#99f6e4',
    onPrimary: '#042f2e',
  },
  font: 'georgia',
  radius: 20,
  texts: {
    en: { company: 'Example Shop', address: '1 Market Street, Riyadh 12345', footer: '' },
    ar: { company: 'متجر المثال', address: 'شارع السوق 1، الرياض 12345', footer: '' },
  },
}

test('in the brand of the workspace both pages keep their contrast, in both languages, in the light and in the dark', async () => {
  expectStatus(await ws.admin.put('/settings/brand', { brand: BRAND }), 200)
  await page.route('https://img.example.com/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: LOGO }))
  const preferences = await pathTo('sara')
  const { id = '' } = (await personRow(app.ctx, ws.id, 'sara')) ?? {}
  const unsubscribe = `/api/v1/unsubscribe/${(await app.ctx.links.sealer('unsubscribe'))([ws.id, id])}`
  for (const language of ['en', 'ar'] as const)
    for (const [width, theme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await inWidth(width)
      await page.emulateMedia({ colorScheme: theme })
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      for (const [name, path] of [
        ['preference', `${preferences}?lang=${language}`],
        ['unsubscribe', unsubscribe],
      ] as const) {
        await page.goto(view.url + path)
        await page.getByRole('img', { name: 'Example Shop' }).waitFor()
        await expectFits()
        await expectAccessible()
        await shot(`${name}-page-brand-${width}-${language}-${theme}`)
      }
    }
  await page.setExtraHTTPHeaders({})
  await page.emulateMedia({ colorScheme: 'light' })
  expectStatus(await ws.admin.put('/settings/brand', { brand: null }), 200)
})

test('the page can be used by everybody, in both languages, on a phone, in the dark', async () => {
  const path = await pathTo('sara')
  for (const language of ['en', 'ar'] as const)
    for (const [width, theme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await inWidth(width)
      await page.emulateMedia({ colorScheme: theme })
      await page.goto(`${view.url}${path}?lang=${language}`)
      await expectFits()
      await expectAccessible()
      await shot(`preference-page-${width}-${language}-${theme}`)
    }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'إيقاف كل الرسائل' }).click()
  await page.getByRole('status').waitFor()
  await expectAccessible()
})
