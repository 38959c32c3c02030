/** A program is signed in by a browser: the code is compared and confirmed, or refused, after whatever the sign-in takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientOf } from '../../../server/test/builders/builders.ts'
import { expectStatus, openDashboard, PASSWORD } from '../support/browser.ts'

const { url, account, openDevice } = await openDashboard({ isDemo: false })
const programs = clientOf(`${url}/api/v1`)

const begin = async (host: string) => expectStatus(await programs.post('/auth/device', { host }), 201).data
const take = async (deviceCode: string) => programs.post('/auth/device/token', { deviceCode })
const button = (at: Page, name: string) => at.getByRole('button', { name, exact: true })

test('the page asks to sign in, shows the code and from where it was asked, and the program is signed in', async () => {
  const { deviceCode, userCode, verificationUrlComplete } = await begin('laptop-of-huda')
  const device = await openDevice()
  const at = device.page
  await at.goto(verificationUrlComplete)
  await at.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await at.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await button(at, 'Sign in').click()
  await at.getByRole('heading', { name: 'Sign in a program' }).waitFor()
  await at.getByTestId('device-code').getByText(userCode, { exact: true }).waitFor()
  await at.getByText('laptop-of-huda').waitFor()
  await device.expectPresentable('device-confirm')
  assert.equal((await take(deviceCode)).body.code, 'SIGN_IN_PENDING')
  await button(at, 'Confirm sign-in').click()
  await at.getByText('The program is signed in').waitFor()
  await device.expectPresentable('device-confirmed')
  assert.equal(expectStatus(await take(deviceCode), 200).data.user.email, account.email)

  await at.goto(`${url}/device`)
  const field = at.getByRole('textbox', { name: 'Code' })
  await field.fill('BBBB-BBBB')
  await device.expectPresentable('device-code')
  await button(at, 'Continue').click()
  await at
    .getByRole('alert')
    .getByText(/No sign-in waits under this code/)
    .waitFor()
  await button(at, 'Enter another code').click()
  const refused = await begin('')
  await field.fill(refused.userCode.toLowerCase())
  await button(at, 'Continue').click()
  await at.getByText('not named').waitFor()
  await button(at, 'Refuse').click()
  await at.getByText('The sign-in was refused').waitFor()
  assert.equal((await take(refused.deviceCode)).body.code, 'SIGN_IN_REFUSED')
  await device.context.close()
})
