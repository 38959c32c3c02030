/** Nothing typed is lost: when the session ends, in this tab or another, when the page closes, and when somebody else signs in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard, PASSWORD, signIn, type Account } from '../support/browser.ts'

const { admin, ws, account, url, openDevice, openAs } = await openDashboard()
const colleague = await openAs('editor', { name: 'Noura' })
await colleague.context.close()

const device = await openDevice()
await signIn(device, account)
const { page, context } = device

const { id } = await ws.instance(
  'promo_banner',
  { title: 'Kept', values: { '#title': 'Hello', '#cta_url': '/offers' } },
  { publish: false },
)
const EDITOR = `/content/promo_banner/${id}`
const offer = (at: Page = page) => at.getByRole('textbox', { name: 'Offer (English)' })
const dialog = (at: Page = page) => at.getByRole('dialog', { name: 'Sign in again' })
const isBack = (at: Page = page) => at.getByText('Your unsaved changes are back').waitFor()
const stored = async () => expectStatus(await admin.get(`/blocks/promo_banner/instances/${id}`), 200).data.values['#title']
const keptThings = async () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cf.kept.')))
/** The session ends at the server, as after a day. */
const endSession = async () => {
  const cookies = await context.cookies()
  await context.clearCookies({ name: 'cf_session' })
  assert.ok(cookies.some(({ name }) => name === 'cf_session'))
}
const enter = async ({ email, password }: Account, at: Page = page) => {
  await dialog(at).getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog(at).getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog(at).getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a save after the session ended asks to sign in over the page, and goes on', async () => {
  await device.goto(EDITOR)
  await offer().fill('Written for an hour')
  await endSession()
  await page.keyboard.press('Control+s')
  await dialog().waitFor()
  assert.ok(page.url().endsWith(EDITOR), 'the page is still there')
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('type'))
  assert.equal(focused, 'password')
  await enter({ ...account, password: 'not the password' })
  await dialog().getByText('Email or password is wrong.').waitFor()
  await enter(account)
  await dialog().waitFor({ state: 'detached' })
  await until('the save went on', async () => (await stored()) === 'Written for an hour')
  assert.equal(await offer().inputValue(), 'Written for an hour')
  await until('nothing is kept of what is saved', async () => (await keptThings()).length === 0)
})

test('a sign-out in another tab leaves what is unsaved behind a window, and goes to sign in where nothing is', async () => {
  await device.goto(EDITOR)
  await offer().fill('Still unsaved')
  const clean = await context.newPage()
  await clean.goto(`${url}/w/${ws.id}/segments`)
  const other = await context.newPage()
  await other.goto(`${url}/w/${ws.id}`)
  await other.getByRole('button', { name: 'Your account' }).click()
  await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await clean.waitForURL('**/login**')
  await dialog().waitFor()
  // Here, for while a save waits its button turns without an end.
  await device.expectPresentable('reenter')
  await enter(account)
  await dialog().waitFor({ state: 'detached' })
  assert.equal(await offer().inputValue(), 'Still unsaved')
  assert.notEqual(await stored(), 'Still unsaved', 'nothing is saved unasked')
  await clean.close()
  await other.close()
})

test('another member who signs in over the page gets their own page, and nothing of the first is saved', async () => {
  await offer().fill('Not for Noura')
  const before = await stored()
  await endSession()
  await page.keyboard.press('Control+s')
  await dialog().waitFor()
  await dialog().getByRole('textbox', { name: 'Email' }).fill(colleague.account.email)
  await dialog().getByText('For another person this page opens anew').waitFor()
  await enter(colleague.account)
  await dialog().waitFor({ state: 'detached' })
  await until(
    'the page is open anew',
    async () =>
      (await offer()
        .inputValue()
        .catch(() => '')) === before,
  )
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByText(colleague.account.email).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await stored(), before)
  assert.equal(await page.getByText('Your unsaved changes are back').count(), 0)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/login**')
  await signIn(device, account)
  await device.goto(EDITOR)
  await isBack()
  assert.equal(await offer().inputValue(), 'Not for Noura', 'it was kept for who wrote it')
})

test('a page that is closed comes back with what was typed, until it is discarded', async () => {
  await page.getByRole('button', { name: 'Discard changes' }).first().click()
  await offer().fill('Before the crash')
  await until('it is kept', async () => (await keptThings()).length === 1)
  const crashed = await context.newPage()
  await crashed.goto(page.url())
  await isBack(crashed)
  assert.equal(await offer(crashed).inputValue(), 'Before the crash')
  await device.expectPresentable('unsaved-back')
  await crashed.getByRole('button', { name: 'Discard changes' }).first().click()
  await until('it is shown as stored', async () => (await offer(crashed).inputValue()) === (await stored()))
  await crashed.close()
  await page.evaluate(() => localStorage.clear())
})

test('a page that is left before its save was answered does not say that another member saved', async () => {
  const { id: journey } = await makeJourney(admin, {
    steps: [{ id: 'push', type: 'send', channel: 'push', content: { en: { title: 'Hi' }, ar: { title: 'أهلًا' } } }],
  })
  const { id: campaign } = expectStatus(await admin.post('/campaigns', { name: 'Draft', type: 'promo' }), 201).data
  const at = await context.newPage()
  for (const [thing, opened] of [
    [`/journeys/${journey}`, `/journeys/${journey}`],
    [`/campaigns/${campaign}`, `/campaigns/${campaign}/edit`],
  ] as const)
    for (const isStoredFirst of [true, false]) {
      const name = isStoredFirst ? 'Stored, then left' : 'Left, then stored'
      const nameNow = async () => expectStatus(await admin.get(thing), 200).data.name
      await at.goto(`${url}/w/${ws.id}${opened}`)
      const held = Promise.withResolvers<void>()
      let isHeld = false
      await at.route('**?autosave=true', async (route) => {
        if (isHeld) return route.continue()
        isHeld = true
        // The request of the page that is left reaches the server, and its answer nobody.
        const request = route.request()
        if (!isStoredFirst) await held.promise
        await context.request.fetch(request, { headers: { ...(await request.allHeaders()), origin: new URL(url).origin } })
        return undefined
      })
      await at.getByRole('textbox', { name: /^Name/ }).first().fill(name)
      await until('the save is under way', () => isHeld)
      if (isStoredFirst) await until('it is stored', async () => (await nameNow()) === name)
      await at.reload()
      await at.getByRole('heading', { name }).waitFor()
      held.resolve()
      await until('it is stored', async () => (await nameNow()) === name)
      await until('nothing is kept of what is saved', async () => (await keptThings()).length === 0)
      assert.equal(await at.getByText(/Another member saved|Changed meanwhile/).count(), 0)
      await at.unroute('**?autosave=true')
    }
  await at.close()
})

test('campaigns, journeys, segments, block types and translations are kept as well', async () => {
  const { id: journey } = await makeJourney(admin)
  const WORK: { path: string; type: (at: Page) => Promise<void>; isThere: (at: Page) => Promise<boolean> }[] = [
    {
      path: '/campaigns/new',
      type: (at) => at.getByRole('textbox', { name: 'Name', exact: true }).fill('Kept campaign'),
      isThere: async (at) => (await at.getByRole('textbox', { name: 'Name', exact: true }).inputValue()) === 'Kept campaign',
    },
    {
      path: '/segments/new',
      type: (at) => at.getByRole('textbox', { name: /^Name/ }).fill('Kept segment'),
      isThere: async (at) => (await at.getByRole('textbox', { name: /^Name/ }).inputValue()) === 'Kept segment',
    },
    {
      path: '/content/types/new-type',
      type: (at) => at.getByRole('textbox', { name: /^Name/ }).fill('Kept type'),
      isThere: async (at) => (await at.getByRole('textbox', { name: /^Name/ }).inputValue()) === 'Kept type',
    },
    {
      path: `/journeys/new?template=blank`,
      type: (at) => at.getByRole('textbox', { name: /^(Name|Journey name)/ }).fill('Kept new journey'),
      isThere: async (at) => (await at.getByRole('textbox', { name: /^(Name|Journey name)/ }).inputValue()) === 'Kept new journey',
    },
  ]
  assert.ok(journey)
  for (const { path, type, isThere } of WORK) {
    await device.goto(path)
    await type(page)
    await until(`${path} is kept`, async () => (await keptThings()).length === 1)
    const again = await context.newPage()
    await again.goto(`${url}/w/${ws.id}${path}`)
    await isBack(again)
    assert.ok(await isThere(again), path)
    // A page that is left writes down what it has, so both are left before all of it is cleared.
    await again.goto('about:blank')
    await again.close()
    await device.goto('/people')
    await page.evaluate(() => localStorage.clear())
  }
})

test('signing out asks where something is unsaved, and clears what the browser keeps', async () => {
  await device.goto(EDITOR)
  await offer().fill('Given up')
  await until('it is kept', async () => (await keptThings()).length === 1)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  const leave = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await leave.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await offer().inputValue(), 'Given up')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await leave.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  assert.deepEqual(await keptThings(), [])
  assert.ok(PASSWORD)
})

test('drafts of campaigns and journeys save themselves while somebody writes', async () => {
  await signIn(device, account)
  const { data: campaign } = expectStatus(await admin.post('/campaigns', { name: 'Draft', type: 'promo' }), 201)
  await device.goto(`/campaigns/${campaign.id}/edit`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Draft that saves itself')
  const nameOf = async (path: string) => expectStatus(await admin.get(path), 200).data.name
  await until('the campaign saved itself', async () => (await nameOf(`/campaigns/${campaign.id}`)) === 'Draft that saves itself')
  assert.equal(await name.inputValue(), 'Draft that saves itself')
  await name.fill('Draft that saves itself again')
  await until('and once more', async () => (await nameOf(`/campaigns/${campaign.id}`)) === 'Draft that saves itself again')
  const { id: journey } = await makeJourney(admin)
  await device.goto(`/journeys/${journey}`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey that saves itself')
  await until('the journey saved itself', async () => (await nameOf(`/journeys/${journey}`)) === 'Journey that saves itself')
  await page.getByText('Your unsaved changes are back').waitFor({ state: 'detached' })
})
