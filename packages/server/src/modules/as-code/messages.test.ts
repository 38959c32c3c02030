/** Journeys and campaigns of the workspace as one document: as drafts, by the ways that people have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { approve, create, launch, read, statusOf, submit } from '../../../test/builders/campaigns.ts'
import { apply, applyPlanned, carry, exported, plan, refused, stale, told } from '../../../test/builders/code.ts'
import { IN_APP, makeJourney, setStatus, startJourney, wait } from '../../../test/builders/journeys.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const STEPS = [
  { id: 'one', ...wait(60) },
  {
    id: 'two',
    type: 'condition',
    rule: { field: 'customAttributes.plan', operator: 'equals', value: 'gold' },
    then: [{ id: 'three', ...IN_APP }],
    else: [
      { id: 'four', type: 'send', channel: 'push', content: { ar: { title: 'أهلا', body: 'نص' }, en: { title: 'Hi', body: 'Text' } } },
    ],
  },
]
const RULES = { logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] }

async function fill(ws: Workspace) {
  const segment = expectStatus(await ws.admin.post('/segments', { name: 'ذهبي', ...RULES }), 201).data
  await ws.block('promo', { inCampaigns: true })
  // By its id: a document names it.
  const trigger = { type: 'segment_entry', segment: segment.id }
  const journey = await makeJourney(ws.admin, { name: 'Gold', trigger, steps: STEPS, goal: { eventType: 'CONVERSION', days: 7 } })
  const active = await startJourney(ws, { trigger: { type: 'date', trait: 'birthday', daysBefore: 3, hour: 9 } })
  const campaign = await create(ws.admin, {
    segments: ['ذهبي'],
    dispatchChannels: ['promo', 'email', 'in_app'],
    schedule: {
      startTime: '2030-01-01T00:00:00Z',
      endTime: '2030-02-01T00:00:00Z',
      timezone: 'Asia/Riyadh',
      quietHours: { from: '22:00', to: '08:00' },
    },
    content: {
      en: { title: 'Hello', body: 'You', variants: [{ id: 'b', weight: 2, values: { title: 'Ho' } }], data: { z: 1, a: [true] } },
    },
  })
  return { journey: journey.id as string, active, campaign: campaign.id as string }
}

test('journeys and campaigns: export, apply to an empty workspace, export: byte for byte the same, as drafts', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const { journey, active, campaign } = await fill(from)
  const launched = (await launch(from, await from.editor())).id
  const { data } = await exported(from, 'journeys,campaigns')
  assert.deepEqual(data.journeys[0].trigger, { type: 'segment_entry', segment: 'ذهبي' })
  const changes = await carry(from, to)
  assert.deepEqual(told(changes.filter(({ kind }) => kind === 'journeys' || kind === 'campaigns')), [
    `create journeys ${journey}`,
    `create journeys ${active}`,
    `create campaigns ${campaign}`,
    `create campaigns ${launched}`,
  ])
  assert.equal(expectStatus(await to.admin.get(`/journeys/${active}`), 200).data.status, 'draft')
  assert.equal(await statusOf(to.admin, launched), 'draft')
  // The trigger is of the segment that is there, whatever it is called later.
  const { segments } = expectStatus(await to.admin.get('/segments'), 200).data
  expectStatus(await to.admin.put(`/segments/${segments[0].id}`, { name: 'Golden' }), 200)
  assert.equal((await exported(to, 'journeys')).data.journeys[0].trigger.segment, 'Golden')
})

test('drafts change and go exactly as planned, with their history; what has begun stays', async () => {
  const ws = await workspace()
  const { journey, active, campaign } = await fill(ws)
  const launched = (await launch(ws, await ws.editor())).id
  const { data } = await exported(ws, 'journeys,campaigns')
  const [first, second] = data.journeys
  const renamed = { journeys: [{ ...first, name: 'Platinum', goal: null }, second], campaigns: [{ ...data.campaigns[0], priority: 9 }] }
  const changes = await apply(ws, renamed)
  assert.deepEqual(
    changes.map(({ key, change, members }) => [key, change, members.toSorted()]),
    [
      [journey, 'change', ['goal', 'name']],
      [campaign, 'change', ['priority']],
    ],
  )
  const versions = expectStatus(await ws.admin.get(`/journeys/${journey}/versions`), 200).data.versions
  assert.deepEqual(versions[0].changes.members, ['name', 'trigger', 'goal'])
  assert.equal((await read(ws.admin, campaign)).priority, 9)
  await stale(ws, { campaigns: [] }, () => ws.admin.put(`/campaigns/${campaign}`, { priority: 1 }))
  const none = { journeys: [], campaigns: [] }
  assert.deepEqual((await plan(ws.admin, none)).kept, [
    { kind: 'journeys', key: active },
    { kind: 'campaigns', key: launched },
  ])
  assert.deepEqual(told(await apply(ws, none)), [`delete journeys ${journey}`, `delete campaigns ${campaign}`])
  const left = (await exported(ws, 'journeys,campaigns')).data
  assert.deepEqual([left.journeys[0].id, left.campaigns[0].id], [active, launched])
})

test('G-53 a change of a campaign that was approved is asked for, and the plan says so', async () => {
  const ws = await workspace()
  const { id } = await launch(ws, await ws.editor())
  const [campaign] = (await exported(ws, 'campaigns')).data.campaigns
  const document = { campaigns: [{ ...campaign, name: 'Louder' }] }
  const [change] = await apply(ws, document)
  assert.deepEqual([change.asks, change.refused], [true, null])
  assert.equal((await read(ws.admin, id)).name, 'Eid')
  const [asked] = expectStatus(await ws.admin.get(`/campaigns/${id}/edit-requests?status=pending`), 200).data.editRequests
  expectStatus(await (await ws.approver()).post(`/campaigns/${id}/edit-requests/${asked.id}/approve`, {}), 200)
  assert.deepEqual((await plan(ws.admin, document)).changes, [])
})

test('what cannot be changed now is named by the plan, and nothing of it is done', async () => {
  const ws = await workspace()
  const { campaign } = await fill(ws)
  expectStatus(await submit(ws.admin, campaign), 200)
  const { journeys, campaigns } = (await exported(ws, 'journeys,campaigns')).data
  const before = (await exported(ws)).text
  for (const [document, code] of [
    [{ geofences: [FENCE], journeys: [journeys[0], { ...journeys[1], name: 'New' }] }, 'JOURNEY_ACTIVE'],
    [{ geofences: [FENCE], campaigns: [{ ...campaigns[0], name: 'New' }] }, 'CAMPAIGN_NOT_EDITABLE'],
  ] as const) {
    const { version, changes } = await plan(ws.admin, document)
    assert.equal(changes.find(({ refused: found }) => found !== null)?.refused, code)
    const done = await applyPlanned(ws.admin, document, version)
    assert.deepEqual([done.status, done.body.code], [409, code])
    assert.equal((await exported(ws)).text, before)
  }
  expectStatus(await setStatus(ws.admin, journeys[1].id, 'paused'), 200)
  await apply(ws, { journeys: [journeys[0], { ...journeys[1], name: 'New' }] })
  expectStatus(await approve(await ws.approver(), campaign), 200)
})

const FENCE = { id: 'home', name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }

test('journeys and campaigns that cannot be are refused where they stand', async () => {
  const ws = await workspace()
  await fill(ws)
  const { journeys, campaigns } = (await exported(ws, 'journeys,campaigns')).data
  const journey = (change: object, error: RegExp) => refused(ws, { journeys: [{ ...journeys[0], ...change }] }, error)
  const campaign = (change: object, error: RegExp) => refused(ws, { campaigns: [{ ...campaigns[0], ...change }] }, error)
  await journey({ trigger: { type: 'segment_entry', segment: 'Nobody' } }, /trigger.segment: there is no segment with the name "Nobody"/)
  await journey({ steps: [wait(60)] }, /journeys\[0\]: each step needs an id/)
  await journey({ steps: [{ id: 'a', type: 'fly' }] }, /journeys\[0\]: steps\[0\].type must be one of/)
  await journey({ status: 'active' }, /journeys\[0\]: .*status/)
  await journey({ id: '' }, /journeys\[0\]: id must be/)
  await refused(ws, { segments: [], journeys: [{ ...journeys[0], name: 'x' }] }, /there is no segment with the name "ذهبي"/)
  await campaign({ dispatchChannels: ['pigeon'] }, /dispatchChannels: "pigeon" is no channel/)
  await campaign({ schedule: {} }, /campaigns\[0\]: schedule.startTime is required/)
  await campaign({ status: 'active' }, /campaigns\[0\]: A campaign becomes "active" by a review/)
  await refused(ws, { blocks: [], campaigns: [{ ...campaigns[0], name: 'x' }] }, /dispatchChannels: "promo" is no channel/)
})
