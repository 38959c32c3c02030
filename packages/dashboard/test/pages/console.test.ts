/** Every page in both languages, both themes and on a phone: usable by everybody, with a console that stays empty, of warnings too. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { create } from '../../../server/test/builders/campaigns.ts'
import { storeExperiment } from '../../../server/test/builders/experiments.ts'
import { track } from '../../../server/test/builders/events.ts'
import { journeyIn } from '../../../server/test/builders/journeys.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { TABS } from '../../src/modules/settings/tabs.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'
import type { View } from '../support/view.ts'

const dashboard = await openDashboard()
const { page, context, goto, admin, ws, url, openDevice, expectAccessible } = dashboard

const said: string[] = []
context.on('console', (message) => {
  // Axe asks every frame; one that may run nothing, as a mail is shown in, does not answer.
  const isAxe = message.text().startsWith("Failed to execute 'postMessage' on 'DOMWindow'") && message.text().includes("('null')")
  if (message.type() !== 'log' && message.type() !== 'debug' && !isAxe)
    said.push(`${page.url()}: ${message.type()}: ${message.text()} ${message.location().url}`)
})

await identify(ws.app, 'sara-phone', 'sara', { name: 'Sara', traits: { plan: 'gold' } })
await identify(ws.app, 'tablet')
await track(ws.app, 'sara-phone', [
  { type: 'impression', blockKey: 'promo_banner' },
  { type: 'click', blockKey: 'promo_banner' },
])
expectStatus(await admin.post('/locales', { code: 'fr' }), 201)
const rules = [{ field: 'metadata.lastSeenAt', operator: 'date_after', value: '2026-01-01T00:00:00.000Z' }]
const { id: segment } = expectStatus(await admin.post('/segments', { name: 'Recent', logicalOperator: 'AND', rules }), 201).data
const { instances } = expectStatus(await admin.get('/instances?blockKey=promo_banner'), 200).data
const { id: erasure } = expectStatus(await admin.delete('/users/tablet'), 200).data
const { id: campaign } = await create(admin, { dispatchChannels: ['email', 'in_app'] })
const document = { version: 1, kind: 'sections', sections: [], texts: { en: { subject: 'Hello', nodes: {} } } }
const { id: template } = expectStatus(await admin.post('/mails', { kind: 'template', name: 'Hello', document }), 201).data
const journey = await journeyIn(ws, 'Welcome', false)
await storeExperiment(dashboard.app.ctx, ws.id, { id: 'campaign:eid', name: 'Two titles' })
const calendar = { timeZone: 'America/New_York', firstDayOfWeek: 6, weekend: [5, 6], hijri: true }
expectStatus(await admin.put('/settings/calendar', calendar), 200)

const PAGES = [
  '',
  '?span=24h',
  '?span=30d',
  '/content',
  '/content?view=table',
  '/content?view=calendar',
  '/content?view=deleted',
  '/content?new=instance',
  '/content/types',
  '/content/types/new-type',
  '/content/types/promo_banner',
  '/content/types/promo_banner/edit',
  `/content/promo_banner/${instances[0].id}`,
  `/content/promo_banner/${instances[0].id}?as=sara-phone&why=1`,
  '/segments',
  '/segments/new',
  `/segments/${segment}`,
  `/segments/${segment}?tab=members`,
  `/segments/${segment}?tab=explain&person=sara`,
  '/campaigns',
  '/campaigns?view=calendar',
  '/campaigns/new',
  `/campaigns/${campaign}`,
  `/campaigns/${campaign}?tab=report`,
  `/campaigns/${campaign}?tab=history`,
  `/campaigns/${campaign}/edit`,
  '/mails',
  `/mails/${template}`,
  '/journeys',
  '/journeys/new',
  `/journeys/${journey}`,
  `/journeys/${journey}?tab=report`,
  `/journeys/${journey}?tab=try`,
  '/people',
  '/people/sara',
  '/people/sara?tab=consent',
  '/people/sara?tab=events',
  '/people/sara?tab=messages',
  '/people/sara?tab=journeys',
  '/people/devices/sara-phone',
  '/people/closed-contacts',
  '/people/erasures',
  '/people/requests',
  `/people/erasures/${erasure}`,
  '/analysis',
  '/analysis?view=funnel',
  '/analysis?view=retention',
  '/analysis?view=reports',
  '/experiments',
  '/experiments/campaign:eid',
  '/events',
  '/events/type?name=impression',
  '/strings',
  '/strings?key=app.action.cancel',
  '/strings/import',
  '/strings/languages',
  '/library',
  '/data',
  '/data?tab=sources',
  '/data?tab=priorities',
  '/data/import',
  ...TABS.map((tab) => `/settings/${tab}`),
  '/settings/keys?new=publishable',
  '/settings/members?new=member',
  '/nowhere',
]

test('every address of the router is among the pages that are looked at', () => {
  const router = readFileSync(new URL('../../src/router.tsx', import.meta.url), 'utf8')
  const addresses = [...router.matchAll(/ page\('([^'/][^']*)'/g)].map(([, address = '']) => address)
  assert.ok(addresses.length > 20)
  const isSeen = (address: string) =>
    PAGES.some((page) =>
      new RegExp(`^/${address.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`).test(page.split('?')[0] ?? ''),
    )
  assert.deepEqual(
    addresses.filter((address) => !isSeen(address)),
    [],
  )
})

/** Each language in each width, and each of these in both themes, without every pairing of them. */
const looksOf = ({ inEnglish, inArabic, inLight, inDark, inWidth }: View) => [
  [inEnglish, inLight, () => inWidth(1440)],
  [inDark, () => inWidth(390)],
  [inArabic, inLight],
  [inDark, () => inWidth(1440)],
]

test('no page says anything in the console or has a finding of axe, in either language, on a wide window or a phone', async () => {
  for (const path of PAGES) {
    await goto(path)
    for (const changes of looksOf(dashboard)) {
      for (const change of changes) await change()
      await expectAccessible()
    }
  }
  assert.deepEqual([...new Set(said)], [])
})

test('nor does the way in, nor has it a finding', async () => {
  const device = await openDevice()
  const words: string[] = []
  device.context.on('console', (message) => void words.push(`${message.type()}: ${message.text()}`))
  for (const path of [
    '/login',
    '/sign-in?error=sso_failed',
    '/sign-in/tried#x',
    '/link-account',
    '/join#x',
    '/forgot-password',
    '/reset-password#x',
    '/confirm-email#x',
    '/',
  ]) {
    await device.page.goto(url + path)
    await device.page.waitForLoadState('networkidle')
    for (const changes of looksOf(device)) {
      for (const change of changes) await change()
      await device.expectAccessible()
    }
  }
  // A link within the dashboard that leads nowhere.
  await device.inEnglish()
  await device.page.evaluate(() => {
    history.pushState(null, '', '/nowhere')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await device.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await device.expectAccessible()
  // Of the server's own answer there is nothing to ask.
  await device.page.goto(`${url}/nowhere`)
  await device.page.waitForLoadState('networkidle')
  // The browser itself says that whoever is not signed in was refused.
  assert.deepEqual(
    words.filter((word) => !word.includes('Failed to load resource')),
    [],
  )
  await device.context.close()
})
