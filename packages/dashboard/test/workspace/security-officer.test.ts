/**
 * A bank's security officer: takes the protections that a new workspace proposes, makes the key with which the bank's own
 * server signs, sees in the report which calls are proven, requires it, and watches an attack with nothing but the app key fail.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createClient, type Client } from '@contentflow/sdk'
import { until } from '../../../server/test/harness/until.ts'
import { signToken, type Signer } from '../../../server/test/builders/user-tokens.ts'
import { clientOf } from '../../../server/test/builders/builders.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, url, ws, admin, expectPresentable } = await openDashboard({ isDemo: false, name: 'Gulf Bank' })

const section = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const mode = (part: string, name: string) => page.getByRole('radiogroup', { name: part }).getByRole('radio', { name, exact: true })
const verification = async () => expectStatus(await admin.get('/settings/identity-verification'), 200).data.live

const VICTIM = { userId: 'noura', name: 'Noura', email: 'noura@bank.example', traits: { balance: 120_000 } }

/** What the bank's own server signs with; known once the key is made. */
let signer: Signer | undefined
const tokenOf = (userId: string) => signToken(signer ?? assert.fail('no key yet'), Date.now(), { sub: userId, aud: ws.id })

function appOf(userToken?: (userId: string) => Promise<string>): Client {
  const client = createClient({ key: ws.live, baseUrl: `${url}/sdk/v1`, platform: 'ios', stream: false, ...(userToken && { userToken }) })
  after(() => client.stop())
  client.start()
  return client
}

/** With nothing but the key that every copy of the app holds. */
const attack = (deviceId: string) =>
  clientOf(`${url}/sdk/v1`, { 'x-cf-key': ws.live }).post('/identify', { deviceId, userId: VICTIM.userId, consent: true })

test('the officer takes what is proposed, and nothing of it refuses a call', async () => {
  await goto('')
  await button('Choose protections', section('Protect this workspace')).click()
  await page.getByRole('switch', { name: 'Identity report' }).waitFor()
  await expectPresentable('officer-proposals')
  await button('Turn on', section('Protect this workspace')).click()
  await section('Protect this workspace').waitFor({ state: 'detached' })
  assert.deepEqual(await verification(), { userToken: 'report', deviceProof: 'report' })
  const before = appOf()
  assert.equal((await before.identify({ consent: true, ...VICTIM })).status, 'done', 'an app of before goes on')
})

test("the key of the bank's server is made, and its secret is shown once", async () => {
  await goto('/settings/protection')
  await button('New identity key').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Login server')
  await expectPresentable('officer-new-key')
  await button('Create key', dialog()).click()
  await dialog().getByText('it is shown once').waitFor()
  await expectPresentable('officer-key-shown')
  const [secret = '', kid = ''] = await dialog().locator('.cf-code').allInnerTexts()
  assert.equal(Buffer.from(secret, 'base64url').length, 32)
  signer = { kid, alg: 'HS256', key: Buffer.from(secret) }
  await dialog().getByLabel('I stored it').check()
  await button('Done', dialog()).click()
  await section('Identity keys')
    .getByRole('row', { name: /Login server/ })
    .waitFor()
  assert.ok(!(await page.content()).includes(secret))
})

test('the report says how many calls were proven, and which were not', async () => {
  const app = appOf(tokenOf)
  await app.identify({ consent: true, ...VICTIM })
  await goto('/settings/protection')
  await section('Identity verification')
    .getByText('50% of the calls that named a person in the last 24 hours were proven (2 in all).')
    .waitFor()
  await page.getByRole('row', { name: /Token missing User token js\/\d/ }).waitFor()
  await expectPresentable('officer-report')
})

test('before it is required, the number of calls that it would have refused is shown and confirmed', async () => {
  await mode('User token', 'Required').click()
  await dialog().getByText('1 call of the last 24 hours would have been rejected.').waitFor()
  await expectPresentable('officer-require')
  // Another call comes in while the officer reads.
  expectStatus(await attack('phone-of-before'), 200)
  expectStatus(await admin.get('/settings/identity-verification/report?environment=live'), 200)
  await button('Require proof', dialog()).click()
  await dialog().getByText('2 calls of the last 24 hours would have been rejected.').waitFor()
  await button('Require proof', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  assert.deepEqual(await verification(), { userToken: 'required', deviceProof: 'report' })
  await mode('Device proof', 'Required').click()
  await button('Require proof', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  assert.deepEqual(await verification(), { userToken: 'required', deviceProof: 'required' })
})

test("an attack with the app key is refused and seen in the report; the bank's own app goes on", async () => {
  const refused = await attack('phone-of-thief')
  assert.deepEqual([refused.status, refused.body.code], [403, 'USER_TOKEN_REQUIRED'])
  const thief = appOf(() => tokenOf('mallory'))
  const heard: unknown[] = []
  thief.on('identity_refused', ({ code, reason }) => heard.push([code, reason]))
  await assert.rejects(thief.identify({ consent: true, userId: VICTIM.userId }), { code: 'USER_TOKEN_INVALID', reason: 'subject' })
  assert.deepEqual(heard, [['USER_TOKEN_INVALID', 'subject']])

  const app = appOf(tokenOf)
  assert.equal((await app.identify({ consent: true, userId: VICTIM.userId })).status, 'done')
  await app.setIndustryData('banking', { tier: 'gold' })
  await until('the person is linked', () => app.snapshot().userId === VICTIM.userId)

  await goto('/settings/protection')
  await page.getByRole('row', { name: /Token missing User token Not named/ }).waitFor()
  await page.getByRole('row', { name: /For another person User token js\/\d/ }).waitFor()
  await expectPresentable('officer-attack')
})

test('the last key stays while tokens are required, and is deleted only after it is asked about', async () => {
  await button('Delete Login server').click()
  await button('Delete', dialog()).click()
  await dialog().getByText('this is the last key').waitFor()
  await button('Cancel', dialog()).click()
  await mode('User token', 'Off').click()
  await page.getByText('User token turned off').waitFor()
  await button('Delete Login server').click()
  await dialog().getByText('Tokens signed with it prove nothing from the next call on.').waitFor()
  await button('Delete', dialog()).click()
  await section('Identity keys').getByText('No identity keys yet').waitFor()
})
