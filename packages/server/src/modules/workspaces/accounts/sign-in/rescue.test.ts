import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { addAuthenticator } from '../../../../../test/builders/sign-in/second-factors.ts'
import { freshDatabase, startOn } from '../../../../../test/harness/start-app.ts'

const MAIN = fileURLToPath(new URL('../../../../main.js', import.meta.url))

/** What the command prints, and how it ends. */
function reset(env: Record<string, string>, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const options = { env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', CF_LOG_LEVEL: 'info', ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'reset-password', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

test('whoever is on the machine gives an account a new password, and takes its second factors away', async () => {
  const database = await freshDatabase()
  const before = await startOn(database.env)
  const email = uniqueEmail()
  const ws = await before.workspace({ email })
  await addAuthenticator(ws.admin, before.ctx.clock.ms())
  await before.stop()
  const done = await reset(database.env, email.toUpperCase())
  assert.equal(done.code, 0, done.stderr)
  const password = /^New password: (\w{20})$/m.exec(done.stdout)?.[1] ?? ''
  assert.ok(!`${done.stdout}${done.stderr}`.toLowerCase().includes(email), 'the log names no address')
  const unknown = await reset(database.env, uniqueEmail())
  assert.deepEqual([unknown.code, /No account has this email/.test(unknown.stderr)], [1, true])
  assert.equal((await reset(database.env)).code, 1)
  const app = await startOn(database.env)
  const root = `${app.url}/api/v1`
  assert.equal((await clientOf(root).post('/auth/login', { email, password: PASSWORD })).status, 401)
  assert.equal((await clientOf(root, { authorization: `Bearer ${ws.token}` }).get('/auth/me')).status, 401)
  const browse = (body: object) => request('POST', `${root}/auth/session`, { headers: { 'x-cf-dashboard': '1' }, body })
  assert.equal((await browse({ email, password })).body.code, 'PASSWORD_CHANGE_REQUIRED')
  expectStatus(await browse({ email, password, next: 'chosen by its person' }), 200)
  await app.stop()
  await database.remove()
})
