import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer } from '../../../../../test/builders/builders.ts'
import { spawnServer, started } from '../../../../../test/harness/server-process.ts'
import { freshDatabase, startApp } from '../../../../../test/harness/start-app.ts'

const FRESH = { CF_SIGNUP: 'first', CF_TEST_HOOKS: 'off' }
const told = ({ status, body }: Answer) => [status, body.code]
const entry = (more: object = {}) => ({ email: uniqueEmail(), password: PASSWORD, name: 'A', workspaceName: 'W', ...more })
const asks = async (url: string) => expectStatus(await clientOf(`${url}/api/v1`).get('/auth/installation'), 200).data.needsSetupToken

test('a fresh server that others reach prints a token, without which nobody opens its first account', async () => {
  const database = await freshDatabase()
  const env = { ...database.env, ...FRESH, HOST: '0.0.0.0', CF_OPERATOR_TOKEN: '' }
  const server = spawnServer(env)
  const port = new URL(await started(server)).port
  const url = `http://127.0.0.1:${port}`
  const root = clientOf(`${url}/api/v1`)
  assert.equal(await asks(url), true)
  const token = /set-up token: ([\w-]{24})\n/.exec(server.output())?.[1] ?? ''
  for (const setupToken of [undefined, '', 'x'.repeat(24), token.slice(1)])
    assert.deepEqual(told(await root.post('/auth/signup', entry({ setupToken }))), [403, 'SETUP_TOKEN_REQUIRED'], String(setupToken))
  assert.equal((await root.post('/auth/signup', entry({ setupToken: 5 }))).status, 400)
  server.kill('SIGTERM')
  await server.exit
  const again = spawnServer(env)
  const later = `http://127.0.0.1:${new URL(await started(again)).port}`
  expectStatus(await clientOf(`${later}/api/v1`).post('/auth/signup', entry({ setupToken: token })), 201)
  assert.equal(await asks(later), false)
  again.kill('SIGTERM')
  await again.exit
  const third = spawnServer(env)
  await started(third)
  assert.ok(!third.output().includes('set-up token'), 'with an account there is nothing to set up')
  third.kill('SIGTERM')
  await third.exit
  await database.remove()
})

test('nobody is asked on loopback, with CF_SIGNUP=on, or in a server of tests', async () => {
  for (const env of [
    { ...FRESH, HOST: '127.0.0.1' },
    { ...FRESH, HOST: '::1' },
    { ...FRESH, HOST: 'localhost' },
    { ...FRESH, HOST: '0.0.0.0', CF_SIGNUP: 'on' },
    { ...FRESH, HOST: '0.0.0.0', CF_TEST_HOOKS: 'on' },
  ]) {
    const { url } = await startApp(env)
    assert.equal(await asks(url), false, JSON.stringify(env))
    expectStatus(await clientOf(`${url}/api/v1`).post('/auth/signup', entry()), 201)
  }
})
