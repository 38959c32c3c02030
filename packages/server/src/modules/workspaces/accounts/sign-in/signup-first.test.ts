import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, patiently, uniqueEmail, type Answer } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'
import { hashPassword } from '../../../../infra/secrets/crypto.ts'

const { url } = await startApp({ CF_SIGNUP: 'first' })
const root = clientOf(`${url}/api/v1`)
const signUp = () => patiently(() => root.post('/auth/signup', { email: uniqueEmail(), password: PASSWORD, name: 'A', workspaceName: 'W' }))

test('G-02 CF_SIGNUP=first lets exactly one of many open the first account; others join as members', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, signUp))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403, 403])
  const { token, workspace } = (answers.find(({ status }) => status === 201) as Answer).data
  const late = await signUp()
  assert.deepEqual([late.status, late.body.success, 'code' in late.body], [403, false, false])
  const admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': workspace.id })
  const email = uniqueEmail()
  expectStatus(await admin.post('/members', { email, name: 'B', password: PASSWORD, role: 'editor' }), 201)
  expectStatus(await root.post('/auth/login', { email, password: PASSWORD }), 200)
  expectStatus(await admin.post('/workspaces', { name: 'Second' }), 201)
})

test('a sign-up that is refused costs no hash of a password', async () => {
  await signUp()
  /** In microseconds of processor time, which others on the machine do not change much. */
  const cost = async (times: number, work: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const refusing = await cost(30, async () => assert.equal((await signUp()).status, 403))
  const hashing = await cost(20, () => hashPassword(PASSWORD))
  assert.ok(refusing < hashing, `${refusing} µs for 30 refusals, ${hashing} µs for 20 hashes`)
})
