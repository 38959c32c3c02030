import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { ctx, workspace } = await startApp({ CF_TRUST_PROXY: '1' })

const placeFrom = async (ws: Workspace, address: string) =>
  expectStatus(await ws.app.get('/location/ip', { headers: { 'x-forwarded-for': address } }), 200).data

const UNKNOWN = { country: null, region: null, city: null }

test('C-PUSH-24 the country of the caller, with null for what is unknown; nothing is stored', async () => {
  const ws = await workspace()
  const before = await hashTables(ctx.db)
  assert.deepEqual(await placeFrom(ws, '8.8.8.8'), { ...UNKNOWN, country: 'US' })
  assert.deepEqual(await placeFrom(ws, '10.0.0.1, [::ffff:212.26.18.1]:443'), { ...UNKNOWN, country: 'SA' })
  assert.deepEqual(await placeFrom(ws, '2a00:1450:4009::1'), { ...UNKNOWN, country: 'IE' })
  for (const address of ['127.0.0.1', '::1', 'fe80::1%eth0', 'x', '999.1.1.1', '8.8.8.8.8', "' or 1=1"])
    assert.deepEqual(await placeFrom(ws, address), UNKNOWN, address)
  assert.equal(await hashTables(ctx.db), before)
})

test('an identify with consent keeps where the person is', async () => {
  const ws = await workspace()
  const headers = { 'x-cf-device': 'd', 'x-forwarded-for': '212.26.18.1' }
  expectStatus(await ws.app.post('/identify', { userId: 'U', consent: true }, { headers }), 200)
  const { location } = await ctx.db.selectFrom('profiles').select('location').where('workspace_id', '=', ws.id).executeTakeFirstOrThrow()
  assert.deepEqual(location, { country: 'SA' })
})

test('CF_GEOIP_FILE names another file; one that cannot be read locates nobody', async () => {
  const other = fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb'))
  for (const [file, country] of [
    [other, 'US'],
    ['/no/such/file.mmdb', null],
    [fileURLToPath(import.meta.url), null],
  ]) {
    const app = await startApp({ CF_TRUST_PROXY: '1', CF_GEOIP_FILE: file ?? '' })
    const ws = await app.workspace()
    assert.equal((await placeFrom(ws, '8.8.8.8')).country, country)
    await app.stop()
  }
})
