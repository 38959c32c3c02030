import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { ctx, workspace, operator, advance } = app

/** Writes what this process has seen, with what it adds up for a minute. */
const save = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'event-catalog' }), 200)
const list = async (ws: Workspace, query = '') => expectStatus(await ws.admin.get(`/event-types?limit=200&${query}`), 200).data
const names = async (ws: Workspace, query = '') => ((await list(ws, query)).types as { name: string }[]).map(({ name }) => name)
const pathOf = (name: string) => `/event-types/${encodeURIComponent(name)}`
/** The rows of the catalogue of a workspace, as one text. */
async function rows({ id }: Workspace): Promise<string> {
  const all = await Promise.all([
    ctx.db.selectFrom('event_catalogs').selectAll().where('workspace_id', '=', id).execute(),
    ctx.db.selectFrom('event_types').selectAll().where('workspace_id', '=', id).orderBy('id').execute(),
    ctx.db.selectFrom('event_properties').selectAll().where('workspace_id', '=', id).orderBy('type_id').orderBy('name').execute(),
  ])
  return JSON.stringify(all)
}
const read = async (ws: Workspace, name: string) => expectStatus(await ws.admin.get(pathOf(name)), 200).data

async function withDevice(): Promise<Workspace> {
  const ws = await workspace()
  await identify(ws.app, 'D')
  return ws
}

test('what apps send stands in the catalogue by itself: types, properties, their kinds and the volume', async () => {
  const ws = await withDevice()
  const sent = [
    {
      type: 'order_completed',
      properties: { total: 12, at: '2026-11-27T10:00:00Z', items: [1], coupon: null, gift: true, cart: { a: 1 } },
    },
    { type: 'order_completed', properties: { total: 12.5, at: 'soon', coupon: 'X' } },
    { type: 'impression', blockKey: 'promo' },
  ]
  await track(ws.app, 'D', sent)
  await save()
  await rollUp(operator)
  assert.deepEqual(await names(ws), ['impression', 'order_completed'])
  const type = await read(ws, 'order_completed')
  assert.deepEqual(Object.fromEntries(type.properties.map((one: { name: string; kinds: string[] }) => [one.name, one.kinds])), {
    at: ['string', 'date'],
    cart: ['object'],
    coupon: ['string', 'null'],
    gift: ['boolean'],
    items: ['array'],
    total: ['integer', 'number'],
  })
  assert.deepEqual([type.volume, type.days.length, type.isDeclared, type.violations], [2, 1, false, 0])
  assert.ok(type.firstSeen && type.lastSeen)
  // Known events write nothing more.
  const before = await rows(ws)
  await track(ws.app, 'D', sent)
  await save()
  assert.equal(await rows(ws), before)
})

test('an app that makes up names fills the catalogue to its bound, and what is left out is counted and said', async () => {
  const { signIn, ...ws } = await workspaceOverTime(app)
  await identify(ws.app, 'D')
  const types = LIMITS.eventTypes + 40
  for (let at = 0; at < types; at += 100)
    await track(
      ws.app,
      'D',
      Array.from({ length: Math.min(100, types - at) }, (_, i) => ({ type: `made_up_${at + i}` })),
    )
  // Properties of one type that is in it.
  for (let at = 0; at < LIMITS.eventTypeProperties + 20; at += 20)
    await track(ws.app, 'D', [
      { type: 'made_up_1', properties: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${at + i}`, 1])) },
    ])
  await save()
  const { types: listed, others } = await list(ws)
  assert.equal(listed.length, 200)
  const { metadata } = expectStatus(await ws.admin.get('/event-types?limit=1'), 200).body
  assert.deepEqual([metadata.total, others], [LIMITS.eventTypes, 40])
  const full = await read(ws, 'made_up_1')
  assert.deepEqual([full.properties.length, full.otherProperties], [LIMITS.eventTypeProperties, 20])

  // What somebody declares has room all the same, and what was not seen for a month makes room for what comes.
  expectStatus(await ws.admin.put('/event-types/order_completed', { properties: { total: { kind: 'number' } } }), 200)
  await advance(31 * 86_400)
  const admin = await signIn()
  await identify(ws.app, 'D')
  for (let times = 0; times < 2; times++) {
    await track(ws.app, 'D', [{ type: 'new_1' }, { type: 'made_up_7' }])
    await save()
  }
  const later = async (query: string) => expectStatus(await admin.get(`/event-types?limit=1&${query}`), 200).body.metadata.total as number
  assert.deepEqual([await later('search=new_1'), await later('search=order_completed')], [1, 1])
  expectStatus(await admin.get('/event-types/made_up_7'), 200)
  assert.ok((await later('')) < LIMITS.eventTypes)
})

test('names made of contacts and ids are counted and not listed, whoever sends them', async () => {
  const ws = await withDevice()
  await track(ws.app, 'D', [
    { type: 'opened by sara@example.com' },
    { type: 'order 0501234567' },
    { type: 'opened', properties: { 'sara@example.com': true, '+966 50 123 4567': 1, screen: 'home' } },
  ])
  await save()
  assert.deepEqual(await names(ws), ['opened'])
  assert.equal((await list(ws)).others, 2)
  const { properties, otherProperties } = await read(ws, 'opened')
  assert.deepEqual([properties.map((one: { name: string }) => one.name), otherProperties], [['screen'], 2])
})

test('odd names: __proto__, constructor, paths, percent signs and dots are types and properties like others', async () => {
  const ws = await withDevice()
  const odd = ['__proto__', 'constructor', '.', '..', 'a/b', '../x', '50%', '%2e%2e', 'x?y#z', '_', 'حدث', ' ', 'x'.repeat(200)]
  const properties = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": true, "a.b": null}') as object
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as object
  await track(
    ws.app,
    'D',
    odd.map((type) => ({ type, properties: { ...properties, deep, long: 'x'.repeat(4_000) } })),
  )
  await save()
  assert.deepEqual(new Set(await names(ws)), new Set(odd))
  for (const name of odd) {
    const path = name === '.' || name === '..' ? `/event-types/_?eventType=${name}` : pathOf(name)
    const found = expectStatus(await ws.admin.get(path), 200).data
    assert.equal(found.name, name)
    assert.deepEqual(
      found.properties.map((one: { name: string }) => one.name).sort(),
      ['a.b', 'constructor', 'deep', 'long', 'toString'],
      name,
    )
    // Of a body, a member named __proto__ is dropped.
    const declared = JSON.parse(
      '{"properties": {"__proto__": {"kind": "x"}, "constructor": {"kind": "string", "required": true}}}',
    ) as object
    expectStatus(await ws.admin.put(path, declared), 200)
    const property = (await expectStatus(await ws.admin.get(path), 200).data.properties) as { name: string; declared: object | null }[]
    assert.deepEqual(
      property.filter((one) => one.declared).map((one) => one.name),
      ['constructor'],
    )
  }
})

test('declared types say what apps do wrong: wrong kinds, values that are not listed, and what is missing; every event is stored', async () => {
  const ws = await withDevice()
  const properties = {
    total: { kind: 'number', required: true, use: 'measure' },
    state: { kind: 'string', enum: ['paid', 'open'], use: 'dimension' },
    at: { kind: 'date' },
  }
  const put = expectStatus(await ws.admin.put('/event-types/order', { description: 'An order', owner: 'Checkout', properties }), 200).data
  assert.deepEqual([put.isDeclared, put.description, put.owner, put.firstSeen, put.volume], [true, 'An order', 'Checkout', null, 0])
  const secret = 'Sara Ahmed, Riyadh'
  await track(ws.app, 'D', [
    { type: 'order', properties: { total: 12, state: 'paid', at: '2026-11-27' } },
    { type: 'order', properties: { total: secret, state: secret } },
    { type: 'order', properties: { state: null, extra: 1 } },
    { type: 'order' },
  ])
  await save()
  const type = await read(ws, 'order')
  const of = new Map<string, Record<string, unknown>>(type.properties.map((one: { name: string }) => [one.name, one]))
  const example = (name: string) => {
    const { at: _at, ...shape } = (of.get(name)?.['example'] ?? {}) as Record<string, unknown>
    return shape
  }
  assert.deepEqual([type.violations, of.get('total')?.['violations'], of.get('state')?.['violations']], [4, 3, 1])
  assert.deepEqual(example('total'), { rule: 'kind', expected: 'number', found: 'string', length: secret.length })
  assert.deepEqual(example('state'), { rule: 'enum', expected: 'string', found: 'string', length: secret.length })
  assert.deepEqual([of.get('extra')?.['declared'], of.get('at')?.['violations']], [null, 0])
  assert.ok(!(await rows(ws)).includes('Sara'))
  assert.deepEqual(await names(ws, 'state=violated'), ['order'])
  // Another declaration of a property begins anew; the same one goes on.
  const changed = { ...properties, total: { kind: 'string' } }
  const after = expectStatus(await ws.admin.put('/event-types/order', { properties: changed }), 200).data
  assert.equal(after.violations, 1)
  await track(ws.app, 'D', [{ type: 'order', properties: { total: 'much' } }])
  await save()
  assert.equal((await read(ws, 'order')).violations, 1)
})

test('all types at once: the plan, then exactly that, by an editor or a pipeline; a repeat writes nothing', async () => {
  const ws = await withDevice()
  await track(ws.app, 'D', [{ type: 'seen', properties: { a: 1 } }])
  await save()
  const types = [
    { name: 'seen', properties: { a: { kind: 'integer' } } },
    { name: 'b', description: 'B' },
  ]
  const before = await rows(ws)
  const planned = { created: ['b', 'seen'], changed: [], unchanged: [], undeclared: [] }
  assert.deepEqual(expectStatus(await ws.admin.put('/event-types', { types, dryRun: true }), 200).data, planned)
  assert.equal(await rows(ws), before)
  assert.deepEqual(expectStatus(await ws.write.put('/event-types', { types }), 200).data, planned)
  const stored = await rows(ws)
  assert.deepEqual(expectStatus(await ws.admin.put('/event-types', { types: types.toReversed() }), 200).data, {
    created: [],
    changed: [],
    unchanged: ['b', 'seen'],
    undeclared: [],
  })
  assert.equal(await rows(ws), stored)
  const next = [{ name: 'seen', properties: {} }]
  const plan = { created: [], changed: ['seen'], unchanged: [], undeclared: ['b'] }
  assert.deepEqual(expectStatus(await ws.write.put('/event-types', { types: next }), 200).data, plan)
  // What nobody sent is gone; what apps send stays, as seen.
  assert.deepEqual(await names(ws), ['seen'])
  const pulled = expectStatus(await ws.write.get('/event-types'), 200).data
  assert.deepEqual(pulled.types, [
    { ...pulled.types[0], name: 'seen', declared: true, properties: {}, undeclared: [{ name: 'a', kinds: ['integer'] }], violations: [] },
  ])
  expectStatus(await ws.admin.delete('/event-types/seen'), 200)
  assert.deepEqual(await names(ws, 'state=undeclared'), ['seen'])
  // Once more takes it off the list; declared it is back.
  expectStatus(await ws.admin.delete('/event-types/seen'), 200)
  assert.deepEqual([await names(ws), await names(ws, 'state=hidden')], [[], ['seen']])
  expectStatus(await ws.admin.put('/event-types/seen', {}), 200)
  assert.deepEqual(await names(ws), ['seen'])
  expectStatus(await ws.admin.delete('/event-types/nothing'), 404)
  expectStatus(await ws.admin.get('/event-types/nothing'), 404)
})

test('bad declarations are refused with their place, and change nothing', async () => {
  const ws = await workspace()
  const type = (properties: object) => ({ types: [{ name: 'a', properties }] })
  const before = await rows(ws)
  for (const [body, said] of [
    [{}, 'types must be an array'],
    [{ types: {} }, 'types must be an array'],
    [{ types: [1] }, 'types[0] must be an object'],
    [{ types: [{ name: '' }] }, 'types[0]: name must be a string of 1 to 200'],
    [{ types: [{ name: 'x'.repeat(201) }] }, 'types[0]: name'],
    [{ types: [{ name: 'sign_up' }] }, 'types[0]: name: sign_up is an event of the platform'],
    [{ types: [{ name: 'string_impression' }] }, 'types[0]: name: string_impression'],
    [{ types: [{ name: 'a' }, { name: 'a' }] }, 'types[1]: "a" stands there twice'],
    [{ types: [{ name: 'a', nmae: 1 }] }, 'types[0]: nmae is not a member'],
    [{ types: [{ name: 'a', description: 'x'.repeat(501) }] }, 'types[0]: description'],
    [{ types: [{ name: 'a', owner: 7 }] }, 'types[0]: owner'],
    [type([]), 'types[0]: properties must be an object'],
    [type({ p: 1 }), 'types[0]: properties.p must be an object'],
    [type({ p: {} }), 'types[0]: properties.p.kind must be one of string'],
    [type({ p: { kind: 'null' } }), 'types[0]: properties.p.kind must be one of'],
    [type({ p: { kind: 'string', required: 'yes' } }), 'types[0]: properties.p.required'],
    [type({ p: { kind: 'string', enum: [] } }), 'types[0]: properties.p.enum must be an array of 1 to 100'],
    [type({ p: { kind: 'string', enum: ['a', 1] } }), 'types[0]: properties.p.enum[1]'],
    [type({ p: { kind: 'integer', enum: [1, 1] } }), 'types[0]: properties.p.enum must not name a value twice'],
    [type({ p: { kind: 'boolean', enum: [true] } }), 'types[0]: properties.p.enum'],
    [type({ p: { kind: 'string', use: 'measure' } }), 'types[0]: properties.p.use'],
    [type({ p: { kind: 'object', use: 'dimension' } }), 'types[0]: properties.p.use'],
    [type({ p: { kind: 'string', knid: 1 } }), 'types[0]: properties.p.knid is not known'],
    [type({ ['x'.repeat(65)]: { kind: 'string' } }), 'types[0]: properties: a name has 1 to 64'],
    [type(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`p${i}`, { kind: 'string' }]))), 'types[0]: properties: at most 200'],
    [{ types: Array.from({ length: 1001 }, (_, i) => ({ name: `t${i}` })) }, 'types must be an array of at most 1000'],
    [{ types: [], dryRun: 1 }, 'dryRun must be true or false'],
    [{ types: [], other: 1 }, 'the body takes types and dryRun'],
  ] as const) {
    for (const client of [ws.admin, ws.write]) {
      const { status, body: answer } = await client.put('/event-types', body)
      assert.equal(status, 400, JSON.stringify(body).slice(0, 100))
      assert.ok(String(answer.error).startsWith(said), `${answer.error} for ${said}`)
    }
  }
  assert.equal(await rows(ws), before)
  const large = Array.from({ length: 200 }, (_, i) => [
    `p${i}`,
    { kind: 'string', enum: Array.from({ length: 100 }, (_, j) => `${j} ${'x'.repeat(150)}`) },
  ])
  const { status, body } = await ws.admin.put('/event-types', type(Object.fromEntries(large)))
  assert.deepEqual([status, /all types together have \d+ characters/.test(String(body.error))], [400, true])
})

test('frequent values are of at least 20 people, and never names or contacts', async () => {
  const ws = await workspace()
  for (let i = 0; i < 21; i++) {
    await identify(ws.app, `D${i}`, `u${i}`)
    await track(ws.app, `D${i}`, [
      {
        type: 'viewed',
        properties: {
          category: i < 20 ? 'shoes' : 'hats',
          firstName: 'Sara',
          support: 'help@example.com',
          called: '+966501234567',
          level: 3,
        },
      },
    ])
  }
  await save()
  const { data } = expectStatus(await ws.admin.get('/event-types/viewed/values'), 200)
  assert.equal(data.events, 21)
  assert.deepEqual(data.properties, [
    { name: 'category', values: [{ value: 'shoes', people: 20 }] },
    { name: 'level', values: [{ value: 3, people: 21 }] },
  ])
})
