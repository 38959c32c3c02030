/** Every list with pages: a cursor that it did not give as `metadata.nextCursor` is refused, and those it gave lead through all of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { clientOf, expectStatus, type Client, type Workspace } from '../../test/builders/builders.ts'
import { insertDevice } from '../../test/builders/devices.ts'
import { begin } from '../../test/builders/imports.ts'
import { fillPath } from '../../test/harness/routes.ts'
import { OPERATOR_TOKEN } from '../../test/harness/start-app.ts'
import { openSweep, type Fixture } from '../../test/bad-input/sweep.ts'

const { app, ctx, url, makeFixture } = await openSweep()
const fixture = await makeFixture()
const { ws } = fixture
const deviceId = 'installation'
expectStatus(await ws.app.post('/identify', { deviceId, userId: 'U', consent: true }), 200)
await insertDevice(ctx, ws.id, 'device', { segments: [] })
const hook = expectStatus(await ws.admin.post('/webhooks', { url: 'https://example.com/', events: ['campaign.approved'] }), 201).data.id
const everyKey = clientOf(url, {
  authorization: `Bearer ${ws.token}`,
  'x-tenant-id': ws.id,
  'x-cf-write-key': ws.writeKey,
  'x-cf-operator-token': OPERATOR_TOKEN,
})
const installation = clientOf(url, { 'x-cf-key': ws.live, 'x-cf-device': deviceId, 'x-cf-write-key': ws.writeKey })
const clientFor = (path: string): Client => (path.startsWith('/sdk/') ? installation : everyKey)

type Described = { paths: Record<string, { get?: { parameters?: { name: string }[] } }> }
/** As the OpenAPI document has them. */
const lists = Object.entries((app.http.swagger() as Described).paths)
  .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'cursor'))
  .map(([path]) => fillPath(path.replaceAll(/\{(\w+)\}/g, ':$1'), paramsFor(path, fixture)))

function paramsFor(
  path: string,
  { params, segment, stringImport, stagedImport, campaign, journey, mail }: Fixture,
): Record<string, string> {
  const ids = {
    segments: segment,
    'strings/imports': stringImport,
    'enrichment/imports': stagedImport,
    campaigns: campaign,
    journeys: journey,
    mails: mail,
  }
  const id = Object.entries({ ...ids, webhooks: hook }).find(([part]) => path.includes(`/${part}/`))?.[1] ?? params['id'] ?? ''
  return { ...params, deviceId, userId: 'U', id }
}

/** The first page's cursor of a list with two things. */
async function cursorOfBlocks(of: Workspace): Promise<string> {
  await of.block('first')
  await of.block('second')
  return expectStatus(await of.admin.get('/blocks?limit=1'), 200).body.metadata.nextCursor
}

/** What a list has to be told beside the page. */
const asked = (path: string) => (path.endsWith('/sends') ? '&userId=U' : '')

const refused = async (client: Client, path: string, cursor: string) => {
  const { status, body } = await client.get(`${path}?cursor=${encodeURIComponent(cursor)}${asked(path)}`)
  assert.deepEqual([status, body?.error], [400, 'cursor must be metadata.nextCursor of the page before'], `${path} ${cursor}`)
}

test('every list refuses a cursor that is made up or of another list; an empty one is the first page', async () => {
  const cursor = await cursorOfBlocks(ws)
  assert.ok(lists.length > 40, String(lists.length))
  for (const path of lists)
    for (const bad of ['x', '0', '-1', 'first', "x' or 1=1", '\u0000', '😀', '2026-01-01T00:00:00.000Z id', 'a'.repeat(500)])
      await refused(clientFor(path), path, bad)
  for (const path of lists.filter((each) => !each.endsWith('/blocks'))) await refused(clientFor(path), path, cursor)
  for (const path of lists) {
    const [first, empty] = [
      await clientFor(path).get(`${path}?limit=1${asked(path)}`),
      await clientFor(path).get(`${path}?limit=1&cursor=${asked(path)}`),
    ]
    assert.deepEqual([empty.status, empty.body?.metadata?.nextCursor], [first.status, first.body?.metadata?.nextCursor], path)
  }
})

test('a list refuses its own cursor when it was cut or altered, is of another workspace or of other parameters', async () => {
  const cursor = await cursorOfBlocks((await makeFixture()).ws)
  await refused(ws.admin, '/blocks', cursor)
  const own = await cursorOfBlocks(ws)
  for (const bad of [own.slice(0, -1), own.slice(1), `${own}A`, `${own}!`, `${own}=`, `${own} `, own.toLowerCase(), own.slice(0, 16)])
    await refused(ws.admin, '/blocks', bad)
  expectStatus(await ws.admin.get(`/blocks?limit=1&cursor=${own}`), 200)
  for (const key of ['first', 'second'])
    for (const title of ['a', 'b', 'c']) await ws.instance(key, { values: { '#title': title } }, { publish: false })
  const { metadata } = expectStatus(await ws.admin.get('/blocks/first/instances?limit=1'), 200).body
  await refused(ws.admin, '/blocks/second/instances', metadata.nextCursor)
  expectStatus(await ws.admin.get(`/blocks/first/instances?limit=1&cursor=${metadata.nextCursor}`), 200)
})

test('pages of one lead through every list, to as many as it says there are', async () => {
  const { data } = expectStatus(await ws.admin.get('/blocks/promo/instances'), 200)
  for (const title of ['b', 'c']) {
    const path = `/blocks/promo/instances/${data.instances[0].id}`
    const { headers } = expectStatus(await ws.admin.get(path), 200)
    const etag = headers.get('etag') ?? ''
    expectStatus(await ws.admin.put(path, { values: { '#title': title } }, { headers: { 'if-match': etag } }), 200)
  }
  // Names of four bytes a letter make the longest cursors.
  for (const end of ['a', 'b']) await begin(ws.admin, { more: { saveAsSource: `${'😀'.repeat(LIMITS.sourceNameLength - 1)}${end}` } })
  let followed = 0
  for (const path of lists) {
    let [seen, cursor, total]: [number, string | null, number | undefined] = [0, '', 0]
    for (; cursor !== null; followed++) {
      const { body } = expectStatus(await clientFor(path).get(`${path}?limit=1${cursor && `&cursor=${cursor}`}${asked(path)}`), 200)
      const rows = Object.values(body.data).find((each) => Array.isArray(each) && each.length <= 1) as unknown[]
      seen += rows.length
      ;({ nextCursor: cursor, total } = body.metadata)
    }
    // The inbox of a person says how many are unread instead.
    assert.equal(seen, total ?? seen, path)
  }
  assert.ok(followed > lists.length + 10, `${followed} pages of ${lists.length} lists`)
})
