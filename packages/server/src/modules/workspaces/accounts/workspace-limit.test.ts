import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const told = ({ status, body }: Answer) => [status, body.code]

test('G-02 one account opens so many workspaces, sandboxes that are linked aside', async () => {
  const { workspace } = await startApp({ CF_WORKSPACES_PER_ACCOUNT: '3' })
  const [ws, other] = [await workspace(), await workspace()]
  expectStatus(await ws.admin.post('/settings/sandbox', {}), 201)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ws.admin.post('/workspaces', { name: 'W' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409])
  assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'WORKSPACE_LIMIT')
  expectStatus(await other.admin.post('/workspaces', { name: 'W' }), 201)
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  assert.deepEqual(told(await ws.admin.post('/settings/sandbox', {})), [409, 'WORKSPACE_LIMIT'], 'unlinked, it is a workspace')
})

test('without the setting it is ten where accounts are not to be had, and any number where they are', async () => {
  const open = await startApp({ CF_SIGNUP: 'first', CF_TEST_HOOKS: 'off' })
  const first = await open.workspace()
  for (let i = 0; i < 9; i++) expectStatus(await first.admin.post('/workspaces', { name: `W${i}` }), 201)
  assert.deepEqual(told(await first.admin.post('/workspaces', { name: 'W' })), [409, 'WORKSPACE_LIMIT'])
  const free = await startApp({ CF_SIGNUP: 'on', CF_TEST_HOOKS: 'off' })
  const ws = await free.workspace()
  for (let i = 0; i < 12; i++) expectStatus(await ws.admin.post('/workspaces', { name: `W${i}` }), 201)
})

test('with CF_WORKSPACES=operator only the operator opens further workspaces, for whom they name', async () => {
  const { workspace, operator, url } = await startApp({ CF_WORKSPACES: 'operator' })
  const email = uniqueEmail()
  const ws = await workspace({ email })
  assert.deepEqual(told(await ws.admin.post('/workspaces', { name: 'W' })), [403, 'WORKSPACES_BY_OPERATOR'])
  expectStatus(await ws.admin.post('/settings/sandbox', {}), 201)
  const made = expectStatus(await operator.post('/operator/workspaces', { email: email.toUpperCase(), name: 'Second' }), 201).data
  assert.equal(made.name, 'Second')
  expectStatus(await ws.admin.get('/members', { headers: { 'x-tenant-id': made.id } }), 200)
  assert.equal((await operator.post('/operator/workspaces', { email: uniqueEmail(), name: 'W' })).status, 404)
  assert.equal((await operator.post('/operator/workspaces', { email, name: '' })).status, 400)
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  const anybody = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}` })
  assert.equal((await anybody.post('/operator/workspaces', { email, name: 'W' })).status, 401)
})
