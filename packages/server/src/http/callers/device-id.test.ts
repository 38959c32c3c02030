import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { send } from '../../../test/harness/raw.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { url, workspace } = await startApp()
/** Not UTF-8. */
const NOBODYS = Buffer.from([0x64, 0xe9])

test('C-HDR-03 C-ERASE-01 an id outside ASCII names one installation in the header and in the body, and can be erased', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'one' } })
  const deviceId = 'هاتف-سارة-é'
  expectStatus(await ws.app.post('/identify', { deviceId, userId: 'sara', consent: true }), 200)
  // As a client sends it that writes UTF-8.
  const header = (id: Buffer) => ({ 'x-cf-key': ws.live, 'x-cf-device': id.toString('latin1') })
  const headers = header(Buffer.from(deviceId))
  assert.equal((await send(url, '/sdk/v1/sync', { headers })).status, 200)
  assert.equal((await send(url, '/sdk/v1/sync', { headers })).status, 200)
  const erased = await send(url, '/sdk/v1/identify', { method: 'DELETE', headers })
  assert.equal(erased.status, 200)
  const { data } = JSON.parse(erased.body.toString()) as { data: { erased: string[] } }
  assert.ok(data.erased.includes('profile'), JSON.stringify(data))
  expectStatus(await ws.admin.get('/users/sara'), 404)

  for (const [method, path] of [
    ['DELETE', '/identify'],
    ['POST', '/logout'],
  ] as const) {
    const refused = await send(url, `/sdk/v1${path}`, { method, headers: header(NOBODYS) })
    assert.deepEqual([refused.status, refused.body.toString().includes('X-CF-Device must be in UTF-8')], [400, true], path)
  }
  // Read by a device that nobody knows.
  assert.equal((await send(url, '/sdk/v1/sync', { headers: header(NOBODYS) })).status, 200)
})
