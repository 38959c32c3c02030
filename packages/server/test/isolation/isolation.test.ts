/**
 * Two workspaces that are twins: equal block keys, external ids, device ids and even instance ids. Whatever A
 * sends, with ids of its own or of B, B keeps every row and A reads nothing of B. The routes come from the
 * server itself; a route these tables do not know fails the suite.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { request } from '../builders/builders.ts'
import { MANIFEST, REFUSED, type Twins } from './isolation-bodies.ts'
import { APART, auditedApart, endOfLog, isAudited } from './isolation-audit.ts'
import { parametersOf } from './isolation-params.ts'
import { adminOf, bodyFor, CANARY, CLIENT, credentialsOf, inOrder, keyOf, OF_THE_INSTALLATION, openTwins, PIPELINE } from './twins.ts'
import { listDescribed, listRoutes } from '../harness/routes.ts'
import { startApp } from '../harness/start-app.ts'
import { hashTables } from '../harness/tables.ts'

const server = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { app, ctx, url } = server
const { makeTwins, signInAdmin, paramsFor, call } = openTwins(server)

/** Rows of B, and of the tables that belong to no workspace: A's own calls open no session. */
const rowsOfB = async ({ b }: Twins) => `${await hashTables(ctx.db, { workspaceId: b.id })}\n${await ofNobody()}`
const ofNobody = async () =>
  (await hashTables(ctx.db))
    .split('\n')
    .filter((line) => /^(accounts|sessions) /.test(line))
    .join('\n')

const routes = listRoutes(app)
const tenantRoutes = routes.filter(({ path }) => !OF_THE_INSTALLATION.test(path))

test('the list of routes is complete: it names whatever the API description names', () => {
  const listed = new Set(routes.map(keyOf))
  assert.deepEqual(
    listDescribed(app).filter((described) => !listed.has(described)),
    [],
  )
  assert.ok(tenantRoutes.length > 45)
})

test('M-INST-06 an id of another workspace is answered like one that exists nowhere, on every route with ids, and changes no row', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const before = await hashTables(ctx.db)
  for (const route of tenantRoutes.filter(({ params }) => params.length > 0)) {
    for (const headers of credentialsOf(route, twins)) {
      for (const { foreign, unknown } of parametersOf(route, twins)) {
        const body = bodyFor(route, twins)
        const answers = [await call(route, foreign, headers, body), await call(route, unknown, headers, body)]
        const name = `${keyOf(route)} ${JSON.stringify(foreign)}`
        assert.equal(answers[0]?.status, 404, name)
        assert.deepEqual([answers[0]?.status, answers[0]?.text], [answers[1]?.status, answers[1]?.text], name)
        assert.deepEqual([...(answers[0]?.headers.keys() ?? [])], [...(answers[1]?.headers.keys() ?? [])], name)
      }
    }
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('M-AUTH-12 a person is refused in a workspace they are no member of, on every route, like in one that does not exist', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const before = await hashTables(ctx.db)
  const person = adminOf(twins.a)
  for (const route of tenantRoutes.filter(
    ({ path }) => !CLIENT.test(path) && !PIPELINE.test(path) && !/\/(auth|read)\/|\/workspaces(\/join)?$/.test(path),
  )) {
    const params = { key: 'promo', id: twins.shared, number: '1', userId: twins.member }
    const body = bodyFor(route, twins)
    const foreign = await call(route, params, { ...person, 'x-tenant-id': twins.b.id }, body)
    const unknown = await call(route, params, { ...person, 'x-tenant-id': 'nosuchworkspace' }, body)
    assert.equal(foreign.status, 403, keyOf(route))
    assert.deepEqual(foreign.body, unknown.body, keyOf(route))
    assert.equal(foreign.body.code, undefined, keyOf(route))
    assert.equal((await call(route, params, { authorization: person['authorization'] ?? '' }, body)).status, 400, keyOf(route))
  }
  assert.equal(await hashTables(ctx.db), before)
})

test('C-AUTH-33..36 X-Tenant-Id never leads a client key of one workspace to another', async () => {
  const twins = await makeTwins()
  const { a, b } = twins
  const secret = (await a.key('secret', 'live')).key
  const own = (await a.app.get('/sync')).text
  for (const root of ['/sdk/v1', '/api/v1/sdk']) {
    for (const path of ['/sync', '/blocks/promo', '/blocks/only_b', '/stream']) {
      const refused = await request('GET', `${url}${root}${path}`, { headers: { 'x-cf-key': a.live, 'x-tenant-id': b.id } })
      assert.deepEqual([refused.status, refused.body.code], [root === '/sdk/v1' ? 401 : 403, 'TENANT_KEY_MISMATCH'], root + path)
    }
    for (const key of [secret, `${a.id}_app`]) {
      const ignored = await request('GET', `${url}${root}/sync`, { headers: { 'x-cf-key': key, 'x-tenant-id': b.id } })
      assert.deepEqual([ignored.status, ignored.text], [200, own], root)
    }
  }
})

test('M-REG-11 M-AUTH-06 whatever A writes to ids both have, B keeps every row and its clients the same answer', async () => {
  const twins = await makeTwins()
  await signInAdmin(twins.a)
  const { a, b, shared, member } = twins
  assert.equal((await b.admin.get(`/blocks/promo/instances/${shared}`)).data.values['#title'], CANARY)
  const answerOfB = async () => [
    (await b.app.get('/sync')).text,
    (await b.app.get('/sync', { headers: { 'x-cf-device': 'the-same-device' } })).text,
    (await b.app.get('/strings?locale=ar')).text,
    (await b.app.get('/locales')).text,
  ]
  const [rows, texts] = [await hashTables(ctx.db, { workspaceId: b.id }), await answerOfB()]
  const endOfB = await endOfLog(ctx, b)
  assert.notEqual(texts[0], texts[1], 'the device of B has a segment that the one of A lacks')
  const [personBefore] = await ctx.db.selectFrom('accounts').selectAll().where('id', '=', member).execute()
  const ordered = inOrder(tenantRoutes)
  const [refused, unsaid]: [string[], string[]] = [[], []]
  for (const route of ordered) {
    const params = await paramsFor(route, twins)
    for (const headers of credentialsOf(route, twins)) {
      const before = await endOfLog(ctx, a)
      const answer = await call(route, params, headers, bodyFor(route, twins))
      if (answer.status >= 300) refused.push(`${keyOf(route)} ${answer.status}`)
      else if (isAudited(route) && (await endOfLog(ctx, a)) === before) unsaid.push(keyOf(route))
      assert.ok(!answer.text.includes(CANARY), keyOf(route))
      assert.ok(!answer.text.includes(b.id), keyOf(route))
    }
    assert.equal(await hashTables(ctx.db, { workspaceId: b.id }), rows, keyOf(route))
    assert.equal(await endOfLog(ctx, b), endOfB, keyOf(route))
  }
  assert.deepEqual(refused, REFUSED, 'every other call took effect on A')
  assert.deepEqual(await auditedApart(ctx), APART, 'all others are in the commit of what they are about')
  assert.deepEqual(unsaid, [], 'each of them leaves an entry in the audit log of A')
  assert.deepEqual(await answerOfB(), texts)
  const [personAfter] = await ctx.db.selectFrom('accounts').selectAll().where('id', '=', member).execute()
  assert.deepEqual(personAfter, personBefore, 'being added to A changes nothing of a person of B')
})

test('references, seeds and emails that point at B reach nothing of B', async () => {
  const twins = await makeTwins()
  const { a, b, onlyB } = twins
  const before = await rowsOfB(twins)
  const [foreign, unknown] = [onlyB, randomUUID()]
  const messages: string[] = []
  for (const id of [foreign, unknown]) {
    const answer = await a.admin.post('/blocks/promo/instances', { values: { '#items': [id] } })
    assert.equal(answer.status, 400)
    messages.push(answer.body.error.replace(id, '<id>'))
    for (const body of [{ translations: { ar: { '#items': [id] } } }, { variants: [{ id: 'v', weight: 1, values: { '#items': [id] } }] }])
      assert.equal((await a.admin.put(`/blocks/promo/instances/${twins.shared}`, body)).status, 400)
  }
  assert.equal(messages[0], messages[1])
  for (const id of [foreign, unknown]) {
    const order = await a.admin.put('/blocks/promo/instances/order', { ids: [twins.shared, id] })
    assert.deepEqual([order.status, order.body.error], [404, 'instance not found'])
  }
  const plan = (campaignId: string) => a.admin.post('/experiments/plan', { subject: { campaignId }, relativeEffect: 0.2 })
  const [planned, unplanned] = [await plan(twins.campaign.id), await plan(randomUUID())]
  assert.deepEqual([planned.status, planned.body], [404, unplanned.body])
  const seeded = await a.write.post('/cards/sync', {
    blocks: [{ ...MANIFEST.blocks[0], instances: [{ externalId: 'x3', values: { '#items': ['only-b'] } }] }],
  })
  assert.equal(seeded.data.errors.length, 1)
  assert.equal(await rowsOfB(twins), before)
  assert.ok((await b.blocks()).every((block) => block.values['#title'] === CANARY))
  assert.ok((await a.blocks()).every((block) => block.values['#title'] === 'of A'))
})
