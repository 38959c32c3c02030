/** The campaign as a resource. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAMPAIGN_STATUSES } from '@contentflow/core/campaigns/status.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { approve, CAMPAIGN, create, launch, read, setStatus, submit, told } from '../../../test/builders/campaigns.ts'
import { makePicture, uploadFile } from '../../../test/builders/files.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

test('M-CAMP-01 M-CAMP-02 M-CAMP-06 M-CAMP-07 M-CAMP-08 a campaign begins as a draft with what was sent, and starts now unless it says when', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const sent = {
    name: 'Eid',
    type: 'promo',
    priority: 7,
    segments: ['All users', 'Gold'],
    schedule: {
      startTime: '2030-01-01T00:00:00.000Z',
      endTime: '2030-02-01T00:00:00.000Z',
      timezone: 'Asia/Riyadh',
      prayerBlackout: { enabled: true, latitude: 24.7, longitude: 46.7, minutesBefore: 5, minutesAfter: 20 },
      quietHours: { from: '22:00', to: '07:30' },
    },
    content: {
      en: {
        title: 'Hello',
        placementIds: ['home'],
        variants: [{ id: 'a', weight: 1, values: { title: 'A', extra: [1] } }],
        data: { any: { thing: [1, null] } },
      },
      ar: { title: 'مرحبا', body: 'b', imageUrl: 'https://x.example/a.png', ctaLabel: 'c', ctaUrl: '/offers' },
    },
    dispatchChannels: ['push', 'email', 'sms', 'whatsapp', 'in_app'],
  }
  const made = expectStatus(await editor.post('/campaigns', { ...sent, status: 'draft' }), 201).data
  const { name, type, priority, segments, schedule, content, dispatchChannels } = made
  assert.deepEqual({ name, type, priority, segments, schedule, content, dispatchChannels }, sent)
  assert.deepEqual([made.status, made.submittedBy, made.approvedBy, made.rejectionNote], ['draft', null, null, null])
  assert.ok((CAMPAIGN_STATUSES as readonly string[]).includes(made.status) && CAMPAIGN_STATUSES.length === 10)
  assert.deepEqual(made.warnings, [{ code: 'unknown_segment', segment: 'Gold' }])
  assert.deepEqual(await read(await ws.viewer(), made.id), made)
  const bare = expectStatus(await ws.admin.post('/campaigns', { name: 'n', type: 't' }), 201).data
  assert.ok(Math.abs(Date.parse(bare.schedule.startTime) - ctx.clock.ms()) < 10_000)
  assert.deepEqual([bare.priority, bare.segments, bare.content, bare.dispatchChannels], [5, [], {}, []])
})

test('M-CAMP-03 M-CAMP-04 M-REG-18 G-50 what a campaign does not have, or cannot be, is refused and nothing is made', async () => {
  const ws = await workspace()
  await ws.block('card', { inCampaigns: true })
  await ws.block('other')
  const en = (content: object) => ({ content: { en: content } })
  const bad: object[] = [
    { channels: ['push'] },
    ...[0, 11, 1.5, '5', null].map((priority) => ({ priority })),
    ...['', ' ', 'x'.repeat(151), 5].map((name) => ({ name })),
    { name: undefined },
    ...['', 'x'.repeat(51)].map((type) => ({ type })),
    { type: undefined },
    { segments: 'Gold' },
    { segments: [5] },
    { schedule: [] },
    { schedule: { from: '2030-01-01' } },
    { schedule: { startTime: 'soon' } },
    { schedule: { startTime: '2030-01-01T00:00Z', endTime: '2030-01-01T00:00Z' } },
    { schedule: { endTime: '2020-01-01' } },
    { schedule: { timezone: 'Mars' } },
    { schedule: { prayerBlackout: { enabled: true } } },
    { schedule: { quietHours: { from: '22:00', to: '22:00' } } },
    { schedule: { quietHours: { from: '9', to: '22:00' } } },
    { schedule: { prayerBlackout: { enabled: true, latitude: 91, longitude: 0 } } },
    { schedule: { prayerBlackout: { enabled: true, latitude: 1, longitude: 0, minutesBefore: 61 } } },
    { content: [] },
    { content: { english: {} } },
    { content: { en: {}, EN: {} } },
    en({ headline: 'x' }),
    en({ title: 5 }),
    en({ ctaUrl: 'javascript:alert(1)' }),
    en({ placementIds: 'home' }),
    en({ variants: [{ id: 'a', weight: 0, values: {} }] }),
    en({ variants: [{ id: 'a', weight: 1.5, values: {} }] }),
    en({ variants: [{ id: 'a', weight: 1 }] }),
    en({ variants: ['a', 'a'].map((id) => ({ id, weight: 1, values: {} })) }),
    en({ variants: [{ id: 'a', weight: 1, values: { imageUrl: 'data:x' } }] }),
    en({ data: [] }),
    { dispatchChannels: ['pigeon'] },
    { dispatchChannels: ['other'] },
    { dispatchChannels: ['journey_message'] },
    { dispatchChannels: 'push' },
    { status: 'paused' },
    { status: 'done' },
  ]
  for (const body of bad) {
    const answer = await ws.admin.post('/campaigns', { ...CAMPAIGN, ...body })
    assert.deepEqual(told(answer), [400, undefined], JSON.stringify(body))
  }
  assert.equal((await ws.admin.get('/campaigns')).body.metadata.total, 0)
  for (const priority of [1, 10]) await create(ws.admin, { priority })
  assert.deepEqual((await create(ws.admin, { dispatchChannels: ['card', 'push', 'card'] })).dispatchChannels, ['card', 'push'])
})

test('M-CAMP-31 nothing is created live', async () => {
  const ws = await workspace()
  for (const status of ['active', 'test', 'scheduled', 'approved'])
    assert.deepEqual(told(await ws.admin.post('/campaigns', { ...CAMPAIGN, status })), [409, 'REVIEW_REQUIRED'])
  assert.equal((await ws.admin.get('/campaigns')).body.metadata.total, 0)
  const { id } = await create(ws.admin)
  assert.deepEqual(told(await ws.admin.put(`/campaigns/${id}`, { status: 'active' })), [409, 'REVIEW_REQUIRED'])
})

test('M-CAMP-34 a draft is changed at once, member by member; what is over is not', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id, schedule } = await create(editor)
  await advance(10)
  const changed = expectStatus(await editor.put(`/campaigns/${id}`, { name: 'New', schedule: { endTime: '2099-01-01' } }), 200).data
  assert.deepEqual([changed.name, changed.type, changed.version], ['New', 'promo', 2])
  assert.deepEqual(changed.schedule, { startTime: schedule.startTime, endTime: '2099-01-02T00:00:00.000Z' })
  assert.equal((await editor.put(`/campaigns/${id}`, { schedule: { endTime: '2001-01-01' } })).status, 400)
  const stale = await editor.put(`/campaigns/${id}`, { name: 'Late' }, { headers: { 'if-match': '"1"' } })
  assert.deepEqual(told(stale), [412, 'VERSION_CHANGED'])
  expectStatus(await submit(editor, id), 200)
  for (const by of [editor, ws.admin])
    assert.deepEqual(told(await by.put(`/campaigns/${id}`, { name: 'x' })), [409, 'CAMPAIGN_NOT_EDITABLE'])
  expectStatus(await setStatus(editor, id, 'completed'), 200)
  assert.deepEqual(told(await ws.admin.put(`/campaigns/${id}`, { name: 'x' })), [409, 'CAMPAIGN_NOT_EDITABLE'])
  assert.equal((await read(editor, id)).name, 'New')
})

test('G-50 only drafts are deleted', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id } = await create(editor)
  const live = await launch(ws, editor)
  assert.deepEqual(told(await ws.admin.delete(`/campaigns/${live.id}`)), [409, 'CAMPAIGN_NOT_DRAFT'])
  expectStatus(await editor.delete(`/campaigns/${id}`), 200)
  assert.equal((await editor.get(`/campaigns/${id}`)).status, 404)
})

test('G-50 the list is paged, the newest first, and narrowed by status and name', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const ids: string[] = []
  for (const name of ['Eid one', 'Ramadan', 'EID two']) ids.unshift((await create(editor, { name })).id)
  const list = async (query: string) => expectStatus(await ws.admin.get(`/campaigns?${query}`), 200).body
  const found = async (query: string) => (await list(query)).data.campaigns.map(({ id }: any) => id)
  assert.deepEqual(await found(''), ids)
  const first = await list('limit=2')
  assert.deepEqual([first.data.campaigns.length, first.metadata.total], [2, 3])
  assert.deepEqual(await found(`limit=2&cursor=${first.metadata.nextCursor}`), [ids[2]])
  assert.deepEqual(await found('search=eid'), [ids[0], ids[2]])
  expectStatus(await submit(editor, ids[1]!), 200)
  assert.deepEqual(await found('status=pending_review'), [ids[1]])
  assert.equal((await ws.admin.get('/campaigns?status=odd')).status, 400)
})

test('M-CAMP-08 the history says who did what, what was approved, and stays', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id } = await create(editor)
  expectStatus(await editor.put(`/campaigns/${id}`, { content: { en: { title: 'Two' } } }), 200)
  expectStatus(await submit(editor, id), 200)
  const approved = expectStatus(await approve(ws.admin, id, { activateTarget: 'live', note: 'fine' }), 200).data
  expectStatus(await setStatus(editor, id, 'paused', { reason: 'stock is out' }), 200)
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  const { history } = expectStatus(await ws.admin.get(`/campaigns/${id}/history`), 200).data
  assert.deepEqual(
    history.map(({ action, from, to, note }: any) => [action, from, to, note]),
    [
      ['set_status', 'paused', 'draft', null],
      ['set_status', 'active', 'paused', 'stock is out'],
      ['approve', 'pending_review', 'active', 'fine'],
      ['submit', 'draft', 'pending_review', null],
      ['change', null, null, null],
      ['create', null, 'draft', null],
    ],
  )
  assert.deepEqual([history[2].contentHash, history[2].madeBy], [approved.seal.hash, approved.approvedBy])
  assert.notEqual(history[5].contentHash, history[4].contentHash)
  const page = expectStatus(await ws.admin.get(`/campaigns/${id}/history?limit=4`), 200).body
  const rest = expectStatus(await ws.admin.get(`/campaigns/${id}/history?cursor=${page.metadata.nextCursor}`), 200).data.history
  assert.deepEqual([...page.data.history, ...rest], history)
})

test('M-CAMP-28 a segment that is changed after the approval is named; with a sealed audience it takes another review', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const rules = (value: string) => [{ field: 'customAttributes.plan', operator: 'equals', value }]
  const gold = expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules: rules('gold') }), 201).data.id
  const { id } = await create(editor, { segments: ['Gold'] })
  expectStatus(await submit(editor, id), 200)
  const approved = expectStatus(await approve(ws.admin, id), 200).data
  assert.deepEqual([approved.status, approved.changedSinceApproval], ['approved', []])
  expectStatus(await ws.admin.put(`/segments/${gold}`, { rules: rules('silver') }), 200)
  const [differing] = (await read(ws.admin, id)).changedSinceApproval
  assert.deepEqual([differing.kind, differing.name, typeof differing.at], ['segment', 'Gold', 'string'])
  expectStatus(await ws.admin.put('/settings/launch-protection', { mode: 'off', sealAudience: true }), 200)
  assert.deepEqual(told(await setStatus(editor, id, 'active')), [409, 'REVIEW_REQUIRED'])
  expectStatus(await ws.admin.put('/settings/launch-protection', { mode: 'off', sealAudience: false }), 200)
  expectStatus(await setStatus(editor, id, 'active'), 200)
})

test('M-CAMP-28 M-CONT-08 of a picture nothing that is shown can change after the approval; one that is deleted is named', async () => {
  const ws = await workspace()
  const picture = await uploadFile(ws.admin, await makePicture(40, 40), 'eid.png', 'image/png')
  const values = { imageUrl: picture.url }
  const content = { en: { title: 'x', variants: [{ id: 'a', weight: 1, values }] } }
  const { id } = await launch(ws, await ws.editor(), { content })
  const changed = async () => (await read(ws.admin, id)).changedSinceApproval
  const path = `/content/${picture.contentId}`
  expectStatus(await ws.admin.put(path, { alt: { en: 'Other words' }, focalPoint: { x: 0, y: 1 }, fileName: 'other.png' }), 200)
  assert.deepEqual(await changed(), [])
  const { usedBy } = expectStatus(await ws.admin.get(path), 200).data
  assert.deepEqual(usedBy, { instances: [], instanceCount: 0, campaigns: [{ id, name: 'Eid' }] })
  assert.deepEqual(told(await ws.admin.delete(path)), [409, 'FILE_IN_USE'])
  expectStatus(await ws.admin.delete(`${path}?force=true`), 200)
  assert.deepEqual(await changed(), [{ kind: 'picture', name: 'eid.png', at: null }])
  // A sealed audience is about people.
  expectStatus(await ws.admin.put('/settings/launch-protection', { mode: 'off', sealAudience: true }), 200)
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  // Whoever approves it as it is now has seen that.
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { content: { en: { title: 'y' } } }), 200)
  assert.deepEqual(await changed(), [])
  expectStatus(await setStatus(ws.admin, id, 'completed'), 200)
})

test('G-43 a segment that a campaign is for is in use', async () => {
  const ws = await workspace()
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  const gold = expectStatus(await ws.admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201).data.id
  const { id } = await create(ws.admin, { segments: ['Gold'] })
  const refused = await ws.admin.delete(`/segments/${gold}`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error, /campaign "Eid"/)
  expectStatus(await setStatus(ws.admin, id, 'completed'), 200)
  expectStatus(await ws.admin.delete(`/segments/${gold}`), 200)
})

test('G-56 the report of a campaign that sent nothing yet', async () => {
  const ws = await workspace()
  const { id } = await launch(ws, await ws.editor(), { dispatchChannels: ['push'] })
  const report = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data
  assert.deepEqual([report.campaignId, report.missed], [id, false])
})

test('M-CAMP-38 M-DISP-01 M-DISP-08 only an active campaign with segments is handed over to be sent, and no longer when it pauses', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const dispatches = async (id: string) =>
    ctx.db
      .selectFrom('dispatches')
      .select(['channel', 'state', 'message'])
      .where('workspace_id', '=', ws.id)
      .where('source_id', '=', id)
      .orderBy('channel')
      .execute()
  const states = async (id: string) => (await dispatches(id)).map(({ channel, state }) => [channel, state === 'stopped'])
  await ws.block('card', { inCampaigns: true })
  const body = { dispatchChannels: ['push', 'email', 'in_app', 'card'] }
  const trial = await launch(ws, editor, body, 'test')
  assert.deepEqual(await dispatches(trial.id), [])
  expectStatus(await setStatus(editor, trial.id, 'active'), 200)
  assert.deepEqual(await states(trial.id), [
    ['email', false],
    ['push', false],
  ])
  expectStatus(await setStatus(editor, trial.id, 'paused'), 200)
  assert.deepEqual(await states(trial.id), [
    ['email', true],
    ['push', true],
  ])
  expectStatus(await setStatus(editor, trial.id, 'active'), 200)
  const change = { dispatchChannels: ['push'], content: { en: { title: 'New' } } }
  expectStatus(await ws.admin.put(`/campaigns/${trial.id}`, change), 200)
  const [email, push] = await dispatches(trial.id)
  assert.deepEqual([email!.state, push!.state === 'stopped', (push!.message as any).content.en.title], ['stopped', false, 'New'])
  for (const status of ['completed', 'draft']) {
    const { id } = await launch(ws, editor, body)
    expectStatus(await setStatus(editor, id, status), 200)
    assert.deepEqual(await states(id), [
      ['email', true],
      ['push', true],
    ])
  }
  const nobody = await launch(ws, editor, { ...body, segments: [] })
  assert.deepEqual([nobody.status, await dispatches(nobody.id)], ['active', []])
})

test('the list can be of those that start or end in a span of time', async () => {
  const ws = await workspace()
  const on = (startTime: string, endTime?: string) =>
    create(ws.admin, { name: startTime, schedule: { startTime, ...(endTime && { endTime }) } })
  const [spring] = [await on('2031-03-10T00:00:00.000Z', '2031-06-01T00:00:00.000Z'), await on('2031-07-01T00:00:00.000Z')]
  const ids = async (query: string) =>
    expectStatus(await ws.admin.get(`/campaigns?${query}`), 200).data.campaigns.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids('from=2031-03-01T00:00:00Z&to=2031-04-01T00:00:00Z'), [spring.id])
  assert.deepEqual(await ids('from=2031-06-01T00:00:00Z&to=2031-06-30T00:00:00Z'), [spring.id])
  assert.deepEqual(await ids('from=2031-04-01T00:00:00Z&to=2031-05-01T00:00:00Z'), [])
  assert.equal((await ids('from=2031-03-01T00:00:00Z')).length, 2)
  assert.equal((await ws.admin.get('/campaigns?from=soon')).status, 400)
})
