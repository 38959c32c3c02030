import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { addAuthenticator, codeOf } from '../../../../../test/builders/sign-in/second-factors.ts'
import { freshDatabase, startOn, type TestApp } from '../../../../../test/harness/start-app.ts'

const database = await freshDatabase()
after(() => database.remove())
const startWith = (keys: string) => startOn(database.env, { CF_SECRET_KEY: keys })

test('the secret of an authenticator app is sealed anew, and holds when the old key is gone', async () => {
  const [before, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const email = uniqueEmail()
  const first = await startWith(before)
  const { admin } = await first.workspace({ email })
  const { secret, recoveryCodes } = await addAuthenticator(admin, first.ctx.clock.ms())
  // One that waits to be confirmed.
  const { secret: waiting } = expectStatus(await admin.post('/auth/totp'), 200).data
  await first.stop()

  const both = await startWith(`${next},${before}`)
  expectStatus(await both.operator.post('/test-hooks/jobs', { job: 'accounts' }), 200)
  const stored = await both.ctx.db
    .selectFrom('accounts')
    .select(['totp_sealed', 'totp_pending'])
    .where('email', '=', email)
    .executeTakeFirst()
  for (const sealed of Object.values(stored ?? {})) assert.ok(sealed?.startsWith(both.ctx.secrets.present()))
  await both.stop()

  const last = await startWith(next)
  await last.advance(60)
  const logIn = (app: TestApp, otp: string) => clientOf(`${app.url}/api/v1`).post('/auth/login', { email, password: PASSWORD, otp })
  const { token } = expectStatus(await logIn(last, codeOf(secret, last.ctx.clock.ms())), 200).data
  const client = clientOf(`${last.url}/api/v1`, { authorization: `Bearer ${token}` })
  expectStatus(await client.put('/auth/totp', { code: codeOf(waiting, last.ctx.clock.ms()) }), 200)
  await last.stop()

  // Without any key nobody can say which code is right; a recovery code needs none.
  const none = await startWith(randomBytes(32).toString('base64'))
  expectStatus(await logIn(none, codeOf(waiting, none.ctx.clock.ms())), 503)
  expectStatus(await logIn(none, recoveryCodes[0] ?? ''), 200)
  await none.stop()
})
