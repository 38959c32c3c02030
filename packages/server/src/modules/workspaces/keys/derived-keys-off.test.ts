import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp({ CF_DERIVED_KEYS: 'off' })

test('C-AUTH-09 CF_DERIVED_KEYS=off refuses the derived keys of every workspace and no other key, whatever a workspace chose', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  expectStatus(await ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: true }), 200)
  for (const { id, sdk } of [ws, other]) {
    for (const ending of ['app', 'test']) {
      const refused = await sdk({ 'x-cf-key': `${id}_${ending}` }).get('/sync')
      assert.deepEqual([refused.status, refused.body.code], [401, 'INVALID_SDK_KEY'])
    }
  }
  for (const key of [ws.live, ws.test, (await ws.key('secret', 'live')).key, (await ws.key('secret', 'test')).key])
    assert.equal((await ws.sdk({ 'x-cf-key': key }).get('/sync')).status, 200)
})
