import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE_STATES, instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, create, submit } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_body', tag: '#body', type: 'textarea' },
  { id: 'f_image', tag: '#image', type: 'image' },
]
const NOTHING_WAITS = {
  stringsInReview: 0,
  sensorRequests: 0,
  drafts: 0,
  changes: 0,
  reviews: 0,
  campaignReviews: 0,
  scheduledCampaigns: 0,
  subjectRequests: 0,
}
const PAST = '2020-01-01T00:00:00.000Z'
const FUTURE = '2100-01-01T00:00:00.000Z'

async function list({ admin }: Workspace, query = '') {
  const { data, body } = expectStatus(await admin.get(`/instances?${query}`), 200)
  return { instances: data.instances as any[], titles: data.instances.map(({ title }: any) => title) as string[], ...body.metadata }
}

test('a list over all block types says of each instance what it is, where it is and for whom', async () => {
  const ws = await workspace()
  await ws.block('hero', { name: 'Home hero', screen: 'home', designType: 'hero', fields: FIELDS })
  const made = await ws.instance('hero', {
    title: 'Winter',
    seg: 'VIP',
    priority: 3,
    schedule: { endTime: FUTURE },
    values: { '#title': 'Winter sale', '#body': 'Now', '#image': 'https://x.example/a.png' },
    translations: { ar: { '#title': 'تخفيضات' } },
    variants: [{ id: 'a', weight: 1, values: {} }],
  })
  const [only] = (await list(ws)).instances
  const { published, createdAt, updatedAt, ...rest } = only
  assert.deepEqual(rest, {
    id: made.id,
    blockKey: 'hero',
    blockName: 'Home hero',
    screen: 'home',
    designType: 'hero',
    title: 'Winter',
    label: 'Winter sale',
    image: 'https://x.example/a.png',
    state: 'live',
    seg: 'VIP',
    priority: 3,
    schedule: { endTime: FUTURE },
    variants: 1,
    locales: [{ locale: 'ar', filled: 1, of: 2 }],
    version: made.version,
    isChanged: false,
    head: made.version,
    live: made.version,
    test: null,
    publishAt: null,
    deletedAt: null,
    warnings: [{ code: 'unknown_segment', segment: 'VIP' }],
    deletedBy: null,
  })
  assert.deepEqual([typeof published.live, published.test, createdAt, updatedAt], ['string', null, made.createdAt, made.updatedAt])
})

test('the state that filters is the state that is shown, for every publication and schedule', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const now = ctx.clock.now()
  const edge = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const schedules = [
    null,
    { startTime: PAST },
    { startTime: FUTURE },
    { endTime: PAST },
    { endTime: FUTURE },
    { startTime: PAST, endTime: FUTURE },
  ]
  const wanted = new Map<string, string>()
  for (const schedule of [...schedules, { startTime: PAST, endTime: edge(3_600_000) }])
    for (const publish of [false, 'live', 'test'] as const) {
      const { id } = await ws.instance('promo', { schedule }, { publish })
      wanted.set(id, instanceState({ isLive: publish === 'live', isTest: publish === 'test', schedule }, now.getTime()))
    }
  const shown = new Map((await list(ws)).instances.map(({ id, state }: any) => [id, state]))
  assert.deepEqual(shown, wanted)
  assert.equal(new Set(wanted.values()).size, INSTANCE_STATES.length)
  for (const state of INSTANCE_STATES) {
    const { instances, total } = await list(ws, `state=${state}`)
    const expected = [...wanted].filter(([, each]) => each === state).map(([id]) => id)
    assert.deepEqual(instances.map(({ id }: any) => id).sort(), expected.sort(), state)
    assert.equal(total, expected.length)
  }
  const live = new Set((await ws.blocks()).map(({ instanceId }) => instanceId))
  assert.deepEqual(live, new Set([...wanted].filter(([, state]) => state === 'live').map(([id]) => id)), 'live is what live keys are sent')
})

test('G-82 what is to be published at a moment is scheduled, and is no draft that waits', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { title: 'Later' }, { publish: false })
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/publish`, { at: FUTURE }), 202)
  const [only] = (await list(ws, 'state=scheduled')).instances
  assert.deepEqual([only.id, only.state, only.publishAt], [id, 'scheduled', FUTURE])
  assert.equal((await list(ws, 'state=draft')).total, 0)
  assert.equal(expectStatus(await ws.admin.get('/content/overview'), 200).data.waiting.drafts, 0)
})

test('counts are of everything, however little a list shows; a list can begin each block type', async () => {
  const ws = await workspace()
  await ws.block('a', { screen: 'home' })
  await ws.block('b', { screen: 'home' })
  await ws.block('none', { screen: '' })
  for (const [key, count] of [
    ['a', 5],
    ['b', 3],
    ['none', 1],
  ] as const)
    for (let index = 0; index < count; index++)
      await ws.instance(key, { title: `${key}${index}`, priority: -index }, { publish: index === 0 ? 'live' : false })
  const [changed] = (await list(ws, 'blockKey=a&state=live')).instances
  expectStatus(await ws.admin.put(`/blocks/a/instances/${changed.id}?draft=true`, { seg: 'VIP' }), 200)
  expectStatus(await ws.admin.delete(`/blocks/none/instances/${(await list(ws, 'blockKey=none')).instances[0].id}`), 200)
  assert.deepEqual(expectStatus(await ws.admin.get('/content/counts'), 200).data.types, [
    { blockKey: 'a', screen: 'home', instances: 5, live: 1, changed: 1 },
    { blockKey: 'b', screen: 'home', instances: 3, live: 1, changed: 0 },
    { blockKey: 'none', screen: '', instances: 0, live: 0, changed: 0 },
  ])
  const first = await list(ws, 'perType=2&limit=3')
  assert.deepEqual([first.titles, first.total], [['a0', 'a1', 'b0'], 4])
  assert.deepEqual((await list(ws, `perType=2&limit=3&cursor=${first.nextCursor}`)).titles, ['b1'])
  assert.deepEqual(
    [(await list(ws, 'screenless=true')).total, (await list(ws, 'state=deleted')).instances[0].deletedBy],
    [0, expectStatus(await ws.admin.get('/auth/me'), 200).data.user.userId],
  )
})

test('filters by screen, type, segment, language and text find what they name, and nothing of archived types', async () => {
  const ws = await workspace()
  for (const [key, screen] of [
    ['a', 'home'],
    ['b', 'home'],
    ['c', 'cart'],
    ['gone', 'home'],
  ] as const)
    await ws.block(key, { name: `Type ${key}`, screen, fields: FIELDS })
  const make = (key: string, title: string, body: object = {}) => ws.instance(key, { title, ...body }, { publish: false })
  await make('a', 'everyone', { seg: 'All users', values: { '#title': 'Text with 50% off_' } })
  await make('b', 'vip', { seg: 'VIP', values: { '#title': 'Half' }, translations: { 'ar-SA': { '#title': 'نصف' } } })
  await make('c', 'half', { values: { '#title': 'One', '#body': 'Two' }, translations: { 'ar-sa': { '#title': 'واحد' } } })
  await make('gone', 'archived')
  expectStatus(await ws.admin.delete('/blocks/gone'), 200)
  for (const [query, titles] of [
    ['', ['everyone', 'vip', 'half']],
    ['screen=home', ['everyone', 'vip']],
    ['screen=Home', []],
    ['blockKey=c', ['half']],
    ['blockKey=gone', []],
    ['segment=VIP', ['vip']],
    ['segment=vip', []],
    ['segment=All%20users', ['everyone', 'half']],
    ['locale=AR-SA', ['vip']],
    ['missingLocale=ar-SA', ['everyone', 'half']],
    ['locale=en', ['everyone', 'vip', 'half']],
    ['missingLocale=en', []],
    ['search=HALF', ['vip', 'half']],
    ['search=50%25%20off_', ['everyone']],
    ['search=%D9%88%D8%A7%D8%AD%D8%AF', ['half']],
    ['search=type%20b', ['vip']],
    ['search=f_title', []],
    ['screen=home&segment=VIP&state=draft&search=half', ['vip']],
  ] as const) {
    const found = await list(ws, query)
    assert.deepEqual([found.titles, found.total], [titles, titles.length], query)
  }
})

test('G-36 lists take the ids of what is wanted, and leave out those that are not there', async () => {
  const ws = await workspace()
  const other = await workspace()
  for (const each of [ws, other]) for (const key of ['a', 'b']) await each.block(key, { fields: FIELDS })
  const made: Record<string, string> = {}
  for (const [key, title] of [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'three'],
  ] as const)
    made[title] = (await ws.instance(key, { title, values: { '#title': title } })).id
  const foreign = (await other.instance('a', { title: 'foreign' })).id
  const { one, two, three } = made
  for (const [ids, titles] of [
    [
      [one, three, foreign, 'nobody'],
      ['one', 'three'],
    ],
    [[two, two], ['two']],
    [[foreign], []],
    [[''], []],
  ] as const)
    assert.deepEqual((await list(ws, `ids=${ids.join(',')}`)).titles, titles)
  assert.deepEqual((await list(ws, `ids=${one},${two},${three}&search=t&limit=1`)).total, 2)
  const ofType = expectStatus(await ws.admin.get(`/blocks/a/instances?ids=${two},${three},${foreign}`), 200)
  assert.deepEqual([ofType.data.instances.map(({ values }: any) => values['#title']), ofType.body.metadata.total], [['two'], 1])
  const many = (count: number) => `ids=${Array.from({ length: count }, () => one).join(',')}`
  for (const path of ['/instances', '/blocks/a/instances']) {
    expectStatus(await ws.admin.get(`${path}?${many(200)}`), 200)
    assert.equal((await ws.admin.get(`${path}?${many(201)}`)).status, 400)
    assert.equal((await ws.admin.get(`${path}?ids=${'x'.repeat(9_000)}`)).status, 400)
  }
})

test('a range of time finds what has a schedule that reaches into it, its edges as the schedule has them', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const day = (number: number) => `2030-06-${String(number).padStart(2, '0')}T00:00:00.000Z`
  for (const [title, schedule] of [
    ['always', null],
    ['1 to 5', { startTime: day(1), endTime: day(5) }],
    ['from 10', { startTime: day(10) }],
    ['until 12', { endTime: day(12) }],
    ['8 to 20', { startTime: day(8), endTime: day(20) }],
  ] as const)
    await ws.instance('promo', { title, schedule }, { publish: false })
  const planned = await ws.instance('promo', { title: 'published on 6' }, { publish: false })
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${planned.id}/publish`, { at: day(6) }), 202)
  for (const [query, titles] of [
    [`from=${day(5)}&to=${day(8)}`, ['1 to 5', 'published on 6', 'until 12']],
    [`from=${day(6)}&to=${day(9)}`, ['until 12', '8 to 20', 'published on 6']],
    [`from=${day(12)}&to=${day(15)}`, ['from 10', 'until 12', '8 to 20']],
    [`from=${day(21)}`, ['from 10']],
    [`to=${day(6)}`, ['1 to 5', 'until 12']],
    [`from=2030-06-21T00:00:00+03:00&to=2030-06-22`, ['from 10']],
    [`from=2030-06-20T03:00:00%2B03:00`, ['from 10', '8 to 20']],
    ['from=&to=', ['always', '1 to 5', 'from 10', 'until 12', '8 to 20', 'published on 6']],
  ] as const) {
    const found = await list(ws, query)
    assert.deepEqual([found.titles.toSorted(), found.total], [titles.toSorted(), titles.length], query)
  }
  for (const bad of ['from=yesterday', 'to=2030-02-30', `from=${day(2)}&to=${day(1)}`, `from=${'2'.repeat(50)}`])
    assert.equal((await ws.admin.get(`/instances?${bad}`)).status, 400, bad)
})

test('pages follow the order of delivery, also when something is saved in between', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.block('hero')
  for (const [key, title, priority, publish] of [
    ['promo', 'p-low', -1, 'live'],
    ['promo', 'p-draft', 5, false],
    ['promo', 'p-first', 5, 'live'],
    ['promo', 'p-second', 5, 'test'],
    ['hero', 'h', 0, 'live'],
  ] as const)
    await ws.instance(key, { title, priority }, { publish })
  const wanted = ['h', 'p-first', 'p-second', 'p-draft', 'p-low']
  assert.deepEqual((await list(ws)).titles, wanted)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer: Awaited<ReturnType<typeof list>> = await list(ws, `limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    assert.equal(answer.total, wanted.length)
    seen.push(...answer.titles)
    cursor = answer.nextCursor
    if (seen.length === 2) await ws.admin.put(`/blocks/promo/instances/${answer.instances[0].id}`, { priority: -100 })
  }
  assert.deepEqual(seen, [...wanted, 'p-first'], 'what was moved behind the cursor is met again, nothing is left out')
  for (const bad of ['cursor=x', 'cursor=promo.1.x.y', 'limit=0', 'limit=201', 'state=running'])
    assert.equal((await ws.admin.get(`/instances?${bad}`)).status, 400, bad)
  expectStatus(await (await ws.viewer()).get('/instances'), 200)
})

test('the overview tells per screen what live keys get, for whom, and what comes next', async () => {
  const ws = await workspace()
  await ws.block('a', { screen: 'home', name: 'A' })
  await ws.block('b', { screen: 'home', name: 'B' })
  await ws.block('c', { screen: 'cart' })
  const soon = new Date(ctx.clock.ms() + 3 * 86_400_000).toISOString()
  const sooner = new Date(ctx.clock.ms() + 86_400_000).toISOString()
  const late = new Date(ctx.clock.ms() + 20 * 86_400_000).toISOString()
  await ws.instance('a', { title: 'open' })
  await ws.instance('a', { title: 'vip', seg: 'VIP', schedule: { endTime: soon } })
  await ws.instance('a', { title: 'tester' }, { publish: 'test' })
  await ws.instance('a', { title: 'coming', schedule: { startTime: sooner, endTime: late } })
  await ws.instance('a', { title: 'over', seg: 'Gone', schedule: { endTime: PAST } })
  await ws.instance('a', { title: 'never', schedule: { startTime: sooner } }, { publish: false })
  const read = async (query = '') => expectStatus(await ws.admin.get(`/content/overview${query}`), 200).data
  const overview = await read()
  assert.deepEqual(overview.screens, [
    { screen: 'cart', blockTypes: 1, liveBlockTypes: 0, liveInstances: 0, forEveryone: 0, segments: [] },
    { screen: 'home', blockTypes: 2, liveBlockTypes: 1, liveInstances: 2, forEveryone: 1, segments: ['VIP'] },
  ])
  const told = ({ upcoming }: any) => upcoming.map(({ title, change, at }: any) => [title, change, at])
  assert.deepEqual(told(overview), [
    ['coming', 'starts', sooner],
    ['vip', 'ends', soon],
  ])
  assert.deepEqual(told(await read('?days=30')), [
    ['coming', 'starts', sooner],
    ['vip', 'ends', soon],
    ['coming', 'ends', late],
  ])
  const planned = await ws.instance('a', { title: 'planned' }, { publish: false })
  const at = new Date(ctx.clock.ms() + 2 * 86_400_000).toISOString()
  expectStatus(await ws.admin.post(`/blocks/a/instances/${planned.id}/publish`, { at, targets: ['test'] }), 202)
  const [, publishes] = (await read()).upcoming
  assert.deepEqual([publishes.title, publishes.change, publishes.at, publishes.isLive], ['planned', 'publishes', at, false])
  const { instanceId, ...first } = overview.upcoming[0]
  assert.ok(instanceId)
  assert.deepEqual(first, {
    at: sooner,
    change: 'starts',
    title: 'coming',
    label: null,
    blockKey: 'a',
    blockName: 'A',
    screen: 'home',
    seg: null,
    isLive: true,
  })
  assert.deepEqual([overview.hasMoreUpcoming, overview.waiting], [false, { ...NOTHING_WAITS, drafts: 1 }])
  for (const bad of ['days=0', 'days=91', 'days=x']) assert.equal((await ws.admin.get(`/content/overview?${bad}`)).status, 400)
})

test('what waits is counted as the lists of it show it', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  const strings = ['one', 'two', 'hidden'].map((key) => ({ key, sourceText: key }))
  expectStatus(await ws.write.post('/strings/sync', { strings }), 200)
  for (const { key } of strings) expectStatus(await ws.admin.put(`/strings/${key}/translations/ar`, { text: 'ن' }), 200)
  expectStatus(await ws.admin.put('/strings/hidden', { hidden: true }), 200)
  expectStatus(await ws.admin.post('/strings/one/translations/ar/approve', {}), 200)
  expectStatus(await ws.admin.put('/settings/sensor-approval', { required: true }), 200)
  expectStatus(await (await ws.editor()).put('/strings/one/sensor', { enabled: true }), 202)
  const { waiting } = expectStatus(await (await ws.viewer()).get('/content/overview'), 200).data
  assert.deepEqual(waiting, { ...NOTHING_WAITS, stringsInReview: 1, sensorRequests: 1 })
})

test('campaigns that wait for a second person, and those that start within two weeks, are counted', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const on = (days: number) => ({ startTime: new Date(ctx.clock.ms() + days * 86_400_000).toISOString() })
  for (const schedule of [on(3), on(30)]) {
    const { id } = await create(editor, { schedule })
    expectStatus(await submit(editor, id), 200)
    expectStatus(await approve(ws.admin, id), 200)
    expectStatus(await editor.put(`/campaigns/${id}`, { name: 'Another' }), 202)
  }
  expectStatus(await submit(editor, (await create(editor)).id), 200)
  const { waiting } = expectStatus(await ws.admin.get('/content/overview'), 200).data
  assert.deepEqual(waiting, { ...NOTHING_WAITS, campaignReviews: 3, scheduledCampaigns: 1 })
})
