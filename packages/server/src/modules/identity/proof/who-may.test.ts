/**
 * Held to a model of who may: whatever somebody sends who has the key of the app, an account of their own and the ids of another
 * person and of their installations, nothing of that person is read or changed; and with `report` nothing is refused.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exportSPKI, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { CLIENT_ROUTES } from '@contentflow/core/identity-proof/client-routes.ts'
import { expectStatus, request, type Answer, type Workspace } from '../../../../test/builders/builders.ts'
import { launch } from '../../../../test/builders/campaigns.ts'
import { personRow } from '../../../../test/builders/people.ts'
import { fillPath, listRoutes } from '../../../../test/harness/routes.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { listTables } from '../../../../test/harness/tables.ts'
import { addPublicKey, addSecret, setProofs, signToken, type TokenInput } from '../../../../test/builders/user-tokens.ts'

const { app, ctx, workspace, operator, url } = await startApp()

const BODIES: Record<string, object> = {
  'POST /identify': { consent: true, traits: { plan: 'gold' } },
  'POST /track-event': { type: 'sign_in' },
  'POST /profile': { category: 'banking', data: { tier: 'stolen' } },
  'POST /consent': { channels: { push: false, marketing: false } },
  'POST /consent/full': { channels: { push: false }, personalOptOut: true },
  'POST /register-push': { token: 'of the attacker', platform: 'ios' },
  'PATCH /push/preferences': { digest: 'daily' },
  'POST /push/topics': { topic: 'news' },
  'POST /location': { points: [{ latitude: 1, longitude: 1 }] },
  'POST /events': {
    events: [
      { type: 'purchase', value: 1, currency: 'SAR' },
      { type: 'dismiss', blockKey: 'journey_message' },
    ],
  },
  'POST /campaigns': { placementId: 'home' },
}
/** Those that are about an installation or a user; what is not in the table does not start. */
const ROUTES = [...CLIENT_ROUTES].filter(([, need]) => need.user !== 'none' || need.device !== 'none').map(([name]) => name)
const ROOTS = ['/sdk/v1', '/api/v1/sdk']
/** Whose installation: of Sara's one is bound, and one is from the time before there were proofs. */
const DEVICES = ['phone-of-sara', 'old-phone-of-sara', 'phone-of-omar', 'fresh', undefined] as const
const USERS = ['sara', 'omar', undefined] as const
const USER_TOKENS = [
  undefined,
  'of omar',
  'expired',
  'of a foreign key',
  'of the public key',
  'unsigned',
  'for another workspace',
  'of the test environment',
  'for another installation',
  'x',
] as const
const DEVICE_TOKENS = [undefined, 'of omar', 'replayed', 'of sara in test', 'of another number', 'x'] as const

type Try = {
  route: string
  root: string
  device: (typeof DEVICES)[number]
  isInBody: boolean
  user: (typeof USERS)[number]
  userToken: (typeof USER_TOKENS)[number]
  deviceToken: (typeof DEVICE_TOKENS)[number]
}
const tries = fc.record<Try>({
  route: fc.constantFrom(...ROUTES),
  root: fc.constantFrom(...ROOTS),
  device: fc.constantFrom(...DEVICES),
  isInBody: fc.boolean(),
  user: fc.constantFrom(...USERS),
  userToken: fc.constantFrom(...USER_TOKENS),
  deviceToken: fc.constantFrom(...DEVICE_TOKENS),
})

type Tokens = { user: Map<Try['userToken'], string>; device: Map<Try['deviceToken'], string> }

function send(ws: Workspace, tokens: Tokens, { route, root, device, isInBody, user, userToken, deviceToken }: Try): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const [asUser, asDevice] = [tokens.user.get(userToken), tokens.device.get(deviceToken)]
  const hasBody = method === 'POST' || method === 'PATCH'
  const body = {
    ...BODIES[route],
    ...(user !== undefined && { userId: user }),
    ...(isInBody && device !== undefined && { deviceId: device }),
  }
  return request(method, `${url}${root}${fillPath(path, { key: 'promo', topic: 'news' })}`, {
    headers: {
      'x-cf-key': ws.live,
      ...((!isInBody || !hasBody) && device !== undefined && { 'x-cf-device': device }),
      ...(asUser !== undefined && { 'x-cf-user-token': asUser }),
      ...(asDevice !== undefined && { 'x-cf-device-token': asDevice }),
    },
    ...(hasBody && { body }),
  })
}

/** Whether this try has to be refused, said once more and in other words than the code says it. */
function mustRefuse({ route, device, user, userToken }: Try): boolean {
  const [named, isRead] = [CLIENT_ROUTES.get(route)?.user === 'named', CLIENT_ROUTES.get(route)?.device === 'read']
  if (named && user === 'sara') return true
  if (named && user === 'omar' && userToken !== 'of omar') return true
  if (isRead || device === undefined || !device.includes('sara')) return false
  // Omar may sign in on the old phone that nobody is bound to: it is his then, and nothing of hers.
  return !(route === 'POST /identify' && device === 'old-phone-of-sara' && user === 'omar')
}

async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await ws.block('promo')
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'secret-of-sara' }]
  expectStatus(await ws.admin.post('/segments', { name: 'secret-segment-of-sara', logicalOperator: 'AND', rules }), 201)
  await ws.instance('promo', { values: { '#title': 'secret-of-sara' }, seg: 'secret-segment-of-sara' })
  return ws
}

/** Sara on two phones, the first of which is bound. */
async function signIn(ws: Workspace, headers: Record<string, string>): Promise<string> {
  const traits = { plan: 'secret-of-sara' }
  const body = { userId: 'sara', consent: true, traits, name: 'secret-of-sara' }
  expectStatus(await ws.app.post('/identify', { ...body, deviceId: 'old-phone-of-sara' }), 200)
  await setProofs(ws, { userToken: 'report', deviceProof: 'report' })
  const { deviceToken } = expectStatus(await ws.app.post('/identify', { ...body, deviceId: 'phone-of-sara' }, { headers }), 200).data
  expectStatus(await ws.app.post('/consent', { deviceId: 'phone-of-sara', channels: { inApp: true, push: true } }), 200)
  return deviceToken
}

async function makeTokens(ws: Workspace): Promise<Tokens & { kept: string }> {
  const signer = await addPublicKey(ws)
  const spki = await generateKeyPair('ES256', { extractable: true })
  const now = ctx.clock.ms()
  const ofSara = (input: TokenInput = {}) => signToken(signer, now, { sub: 'sara', aud: ws.id, ...input })
  const right = await ofSara()
  const [, claims = ''] = right.split('.')
  const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', kid: signer.kid })).toString('base64url')}.${claims}.`
  const pem = Buffer.from(await exportSPKI(spki.publicKey))
  const user = new Map<Try['userToken'], string>([
    ['of omar', await ofSara({ sub: 'omar' })],
    ['expired', await ofSara({ iat: -7_200, exp: -3_600 })],
    ['of a foreign key', await signToken({ ...signer, key: spki.privateKey }, now, { sub: 'sara', aud: ws.id })],
    ['of the public key', await signToken({ ...signer, alg: 'HS256', key: pem }, now, { sub: 'sara', aud: ws.id })],
    ['unsigned', unsigned],
    ['for another workspace', await ofSara({ aud: 'another' })],
    ['of the test environment', await signToken(await addSecret(ws, 'test'), now, { sub: 'sara', aud: ws.id })],
    ['for another installation', await ofSara({ claims: { device_id: 'of nobody here' } })],
    ['x', 'x'],
  ])
  const sara = { 'x-cf-user-token': right }
  const replayed = await signIn(ws, sara)
  // She lost it, and got another.
  const again = { deviceId: 'phone-of-sara', userId: 'sara', consent: true }
  const kept = expectStatus(await ws.app.post('/identify', again, { headers: sara }), 200).data.deviceToken
  assert.notEqual(kept, replayed)
  const omar = { deviceId: 'phone-of-omar', userId: 'omar', consent: true }
  const own = expectStatus(await ws.app.post('/identify', omar), 200).data.deviceToken
  await setProofs(ws, { deviceProof: 'report' }, 'test')
  const inTest = expectStatus(await ws.testApp.post('/identify', { ...again, deviceId: 'phone-of-sara-in-test' }), 200).data.deviceToken
  const device = new Map<Try['deviceToken'], string>([
    ['of omar', own],
    ['replayed', replayed],
    ['of sara in test', inTest],
    ['of another number', kept.replace(/^\d+/, (epoch: string) => String(Number(epoch) + 1))],
    ['x', 'x'],
  ])
  return { user, device, kept }
}

/** Every row that has one of these texts in it, but for what follows by itself. */
async function rowsWith(texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of await listTables(ctx.db)) {
    if (['identity_keys', 'key_uses', 'event_batches', 'event_counts', 'campaign_devices', 'active_devices'].includes(table)) continue
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(ctx.db)
    found.push(...rows.filter(({ row }) => texts.some((text) => row.includes(text))).map(({ row }) => `${table} ${row}`))
  }
  return found.sort()
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += 16) await Promise.all(items.slice(i, i + 16).map(work))
}

test('CLIENT_ROUTES says of every client route, and of no other, what its calls have to prove', () => {
  const served = listRoutes(app).filter(({ path }) => ROOTS.some((root) => path.startsWith(`${root}/`)))
  for (const root of ROOTS) {
    const names = served.filter(({ path }) => path.startsWith(`${root}/`)).map(({ method, path }) => `${method} ${path.slice(root.length)}`)
    assert.deepEqual(names.filter((name) => !name.startsWith('HEAD ')).sort(), [...CLIENT_ROUTES.keys()].sort())
  }
  // Each that writes says so, with its installation or the key of a pipeline.
  assert.deepEqual(
    Object.keys(BODIES).filter((name) => !ROUTES.includes(name)),
    [],
  )
})

test('0 of 3,000 generated requests reach another person with both proofs required', async () => {
  const ws = await shop()
  const tokens = await makeTokens(ws)
  await launch(ws, await ws.editor(), {
    segments: ['secret-segment-of-sara'],
    dispatchChannels: ['in_app'],
    content: { en: { title: 'secret-of-sara' } },
  })
  await setProofs(ws, { userToken: 'required', deviceProof: 'required' })
  // There is something to be reached, for her; and her messages are written when she comes for them.
  const hers = { 'x-cf-key': ws.live, 'x-cf-device': 'phone-of-sara', 'x-cf-device-token': tokens.kept }
  const shown = expectStatus(await ws.sdk(hers).get('/sync'), 200)
  assert.equal(shown.data.blocks.length, 2)
  assert.doesNotMatch(expectStatus(await ws.sdk({ ...hers, 'x-cf-device': 'old-phone-of-sara' }).get('/sync'), 200).text, /secret/)
  const profile = await personRow(ctx, ws.id, 'sara')
  const texts = ['phone-of-sara', profile?.id ?? '', '"sara"']
  const before = await rowsWith(texts)
  assert.ok(before.length > 5)
  let refused = 0
  // Omar may take over the old phone, and with it the row that says whose it is: that one is asked about last.
  const [others, takesOver] = [[] as Try[], [] as Try[]]
  for (const each of fc.sample(tries, { numRuns: 3_000, seed: 38 }))
    (each.device === 'old-phone-of-sara' && each.route === 'POST /identify' && each.user === 'omar' ? takesOver : others).push(each)
  const judge = async (each: Try) => {
    const answer = await send(ws, tokens, each)
    const what = `${JSON.stringify(each)}: ${answer.status} ${answer.text}`
    assert.doesNotMatch(answer.text, /secret/, what)
    assert.ok(answer.status < 500, what)
    if (!mustRefuse(each)) return
    refused++
    // 400 for what names no installation; 429 for wrong tokens without end.
    assert.ok(answer.status >= 400, what)
  }
  await inParallel(others, judge)
  assert.deepEqual(await rowsWith(texts), before)
  await inParallel(takesOver, judge)
  assert.deepEqual(
    (await rowsWith(['"phone-of-sara"', profile?.id ?? ''])).filter((row) => !row.includes('old-phone-of-sara')),
    before.filter((row) => !row.includes('old-phone-of-sara') && (row.includes('"phone-of-sara"') || row.includes(profile?.id ?? ''))),
  )
  assert.ok(refused > 500, String(refused))
})

test('report refuses none of them', async () => {
  const ws = await shop()
  const tokens = await makeTokens(ws)
  await inParallel(fc.sample(tries, { numRuns: 600, seed: 39 }), async (each) => {
    const { status, body, text } = await send(ws, tokens, each)
    const isOurs = /^(USER_TOKEN|DEVICE_PROOF|IP_RATE)/.test(body?.code ?? '')
    assert.ok(status < 500 && !isOurs, `${JSON.stringify(each)}: ${text}`)
  })
})
