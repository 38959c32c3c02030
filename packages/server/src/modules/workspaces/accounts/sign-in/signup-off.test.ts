import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, PASSWORD, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { url, operator } = await startApp({ CF_SIGNUP: 'off', CF_OPERATOR_TOKEN: '', CF_TEST_HOOKS: 'off' })

test('G-02 CF_SIGNUP=off refuses even the first account with 403', async () => {
  const body = { email: uniqueEmail(), password: PASSWORD, name: 'A', workspaceName: 'W' }
  const refused = await clientOf(`${url}/api/v1`).post('/auth/signup', body)
  assert.deepEqual([refused.status, refused.body.success, 'code' in refused.body], [403, false, false])
})

test('G-02 G-03 without an operator token and test hooks their routes are 404, like any unknown route', async () => {
  const unknown = await operator.post('/no/such/route', {})
  for (const [method, path] of [
    ['post', '/operator/workspaces/abcdefgh/suspend'],
    ['post', '/operator/workspaces/abcdefgh/resume'],
    ['put', '/operator/workspaces/abcdefgh/plan'],
    ['post', '/test-hooks/clock'],
    ['post', '/test-hooks/jobs'],
    ['post', '/test-hooks/faults'],
  ] as const) {
    const answer = await operator[method](path, {})
    assert.deepEqual([answer.status, answer.text], [404, unknown.text], path)
  }
})
