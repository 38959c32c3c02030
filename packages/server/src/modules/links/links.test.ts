/** The schemes of links that a workspace names: every route that writes links takes those and no others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, reviewsOf } from '../../../test/builders/approvals.ts'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { CAMPAIGN, create, launch } from '../../../test/builders/campaigns.ts'
import { apply, applyPlanned, carry, exported, plan, refused } from '../../../test/builders/code.ts'
import { enroll, makeJourney, startJourney } from '../../../test/builders/journeys.ts'
import { identify } from '../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const PATH = '/settings/link-schemes'
const FIELDS = [
  { id: 'f_link', tag: '#link', type: 'url' },
  { id: 'f_title', tag: '#title', type: 'text' },
]
const allow = async (ws: Workspace, schemes: string[] | null) => expectStatus(await ws.admin.put(PATH, { schemes }), 200)
const isRefused = (answer: Answer, at: string) => {
  assert.deepEqual([answer.status, answer.body.code], [400, 'LINK_SCHEME_NOT_ALLOWED'], answer.text)
  assert.ok(answer.body.error.startsWith(`${at} must not use other: links`), answer.text)
}
const save = (by: Client, id: string, body: object) => by.put(`/blocks/promo/instances/${id}`, body)
const SEGMENT = { name: 'Buyers', logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
const addSegment = async (ws: Workspace) => expectStatus(await ws.admin.post('/segments', SEGMENT), 201)
const message = (ctaUrl: string) => ({ en: { title: 'Hi', ctaLabel: 'Go', ctaUrl } })

test('an admin names the schemes of the apps; nobody else does, and names that are none or dangerous change nothing', async () => {
  const ws = await workspace()
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, { schemes: null })
  assert.deepEqual((await allow(ws, ['shop', 'app'])).data, { schemes: ['app', 'shop'] })
  const refusedLists = [
    ['javascript'],
    ['ms-msdt'],
    ['search-ms'],
    ['blob'],
    ['file'],
    ['Shop'],
    ['shop://'],
    ['https'],
    ['a', 'a'],
    [1],
    'a',
    {},
  ]
  for (const schemes of [...refusedLists, undefined, Array.from({ length: 21 }, (_, n) => `a${n}`)]) {
    const answer = expectStatus(await ws.admin.put(PATH, { schemes }), 400)
    assert.match(answer.body.error, /schemes/, answer.text)
  }
  for (const member of [await ws.viewer(), await ws.editor(), await ws.approver()]) {
    assert.deepEqual(expectStatus(await member.get(PATH), 200).data, { schemes: ['app', 'shop'] })
    assert.equal(expectStatus(await member.put(PATH, { schemes: null }), 403).body.code, 'ROLE_REQUIRED')
  }
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox'), 201).data
  const inside = { headers: { 'x-tenant-id': sandbox.workspaceId } }
  assert.deepEqual(expectStatus(await ws.admin.get(PATH, inside), 200).data, { schemes: ['app', 'shop'] }, 'a sandbox begins with them')
  assert.deepEqual((await allow(ws, null)).data, { schemes: null })
})

test('without a list links of every app are taken, as documented', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  await ws.instance('promo', { values: { '#link': 'other://x' } })
  await create(ws.admin, { content: message('other://x') })
  await makeJourney(ws.admin, { steps: [{ type: 'in_app', content: message('other://x') }] })
})

test('content: values, translations, variants and copies; what is stored stays, is published, served and brought back', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  const { id } = await ws.instance('promo', { values: { '#link': 'other://old' } })
  await allow(ws, ['shop'])
  for (const url of ['shop://x', 'SHOP:/x', 'https://a.example', 'mailto:a@example.com', 'tel:1', 'sms:1', '/offers'])
    expectStatus(await ws.admin.post('/blocks/promo/instances', { values: { '#link': url } }), 201)

  const link = { '#link': 'other://new' }
  isRefused(await ws.admin.post('/blocks/promo/instances', { values: link }), 'values.#link')
  isRefused(await save(ws.admin, id, { values: link }), 'values.#link')
  isRefused(await save(ws.admin, id, { translations: { ar: link } }), 'translations.ar.#link')
  const variant = { id: 'b', weight: 1 }
  isRefused(await save(ws.admin, id, { variants: [{ ...variant, values: link }] }), 'variants[0].values.#link')
  isRefused(
    await save(ws.admin, id, { variants: [{ ...variant, values: {}, translations: { ar: link } }] }),
    'variants[0].translations.ar.#link',
  )
  assert.equal(expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}`), 200).data.version, 1)

  const saved = expectStatus(await save(ws.admin, id, { values: { '#title': 'Hi', '#link': 'other://old' } }), 200).data
  assert.equal(saved.values['#link'], 'other://old')
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/duplicate`, {}), 201)
  expectStatus(await save(ws.admin, id, { values: { '#link': '/new' } }), 200)
  isRefused(await save(ws.admin, id, { values: { '#link': 'other://old' } }), 'values.#link')
  expectStatus(await ws.admin.post(`/blocks/promo/instances/${id}/revisions/1/rollback`, {}), 200)
  assert.equal((await ws.blocks())[0]?.values['#link'], 'other://old')
})

test('block types and manifests: by the dashboard, by register and by sync, where the fault of an entry is reported and the rest lands', async () => {
  const ws = await workspace()
  const withDefault = (url: string) => [{ id: 'f_link', tag: '#link', type: 'url', default: url }]
  await ws.block('old', { fields: withDefault('other://old') })
  await allow(ws, [])
  const type = { key: 'promo', name: 'Promo', fields: withDefault('other://x') }
  isRefused(await ws.admin.post('/blocks', type), 'fields[0].default')
  isRefused(await ws.admin.post('/blocks', { ...type, fields: FIELDS, blank: { f_link: 'other://x' } }), 'blank.f_link')
  isRefused(await ws.write.post('/cards/register', type), 'fields[0].default')
  isRefused(await ws.admin.put('/blocks/old', { fields: withDefault('other://x') }), 'fields[0].default')
  expectStatus(await ws.admin.put('/blocks/old', { name: 'Older' }), 200)
  await ws.instance('old', {}, { publish: false })

  const blocks = [
    {
      key: 'good',
      fields: FIELDS,
      instances: [
        { externalId: 'a', values: { '#link': 'other://x' } },
        { externalId: 'b', values: { '#link': '/b' } },
      ],
    },
    { ...type, instances: [{ externalId: 'c' }] },
    { key: 'old', fields: withDefault('other://old') },
  ]
  const report = expectStatus(await ws.write.post('/cards/sync', { blocks }), 200).data
  assert.deepEqual([report.created, report.archived, report.instances], [['good'], [], { created: 1, updated: 0 }])
  assert.deepEqual(
    report.errors.map(({ index, key }: { index: number; key: string }) => [index, key]),
    [
      [0, 'good'],
      [1, 'promo'],
    ],
  )
  for (const { error } of report.errors) assert.match(error, /must not use other: links/)
  assert.equal((await ws.admin.get('/blocks/promo')).status, 404)
})

test('messages: campaigns with their variants and edits, journeys, one-off messages', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await addSegment(ws)
  const old = await create(editor, { content: message('other://old') })
  const approved = await launch(ws, editor)
  const asked = expectStatus(await editor.put(`/campaigns/${approved.id}`, { content: message('other://asked') }), 202).data
  await allow(ws, ['shop'])
  isRefused(await editor.post('/campaigns', { ...CAMPAIGN, content: message('other://x') }), 'content.en.ctaUrl')
  isRefused(await editor.post('/campaigns', { ...CAMPAIGN, content: message('other://{{name}}') }), 'content.en.ctaUrl')
  const variants = [{ id: 'b', weight: 1, values: { ctaUrl: 'other://x' } }]
  isRefused(
    await editor.post('/campaigns', { ...CAMPAIGN, content: { en: { title: 'Hi', variants } } }),
    'content.en.variants[0].values.ctaUrl',
  )
  isRefused(await editor.put(`/campaigns/${old.id}`, { content: message('other://x') }), 'content.en.ctaUrl')
  isRefused(await editor.put(`/campaigns/${approved.id}`, { content: message('other://x') }), 'content.en.ctaUrl')
  expectStatus(
    await editor.put(`/campaigns/${old.id}`, { name: 'New', content: { ...message('other://old'), ar: { title: 'أهلا' } } }),
    200,
  )
  // It was written before anything was named.
  expectStatus(await ws.admin.post(`/campaigns/${approved.id}/edit-requests/${asked.editRequestId}/approve`, {}), 200)

  const step = (ctaUrl: string) => ({ steps: [{ id: 's', type: 'in_app', content: message(ctaUrl) }] })
  const branch = { id: 'c', type: 'split', percent: 50, then: step('other://x').steps }
  const journey = { name: 'J', trigger: { type: 'manual' } }
  isRefused(await editor.post('/journeys', { ...journey, ...step('other://x') }), 'step s: content.en.ctaUrl')
  isRefused(await editor.post('/journeys', { ...journey, steps: [branch] }), 'step s: content.en.ctaUrl')
  const { id } = await makeJourney(editor, step('shop://x'))
  isRefused(await editor.put(`/journeys/${id}`, step('other://x')), 'step s: content.en.ctaUrl')

  const said = (ctaUrl: string) => ({ channel: 'email', content: { title: 'Hi', body: 'x', ctaUrl } })
  isRefused(await editor.post('/notifications', { userId: 'U', ...said('other://x') }), 'content.ctaUrl')
  isRefused(await editor.post('/notifications/segment/Buyers', said('other://x')), 'content.ctaUrl')
  assert.equal(email.mails().length, 0)
  expectStatus(await editor.post('/notifications', { userId: 'U', ...said('shop://x') }), 200)
  assert.match(email.mails()[0].html, /href="shop:\/\/x"/)
})

test('a message that waits for a second person is sent as it was asked for', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await addSegment(ws)
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const editor = await ws.editor()
  const content = { title: 'Hi', body: 'x', ctaUrl: 'other://x' }
  expectStatus(await editor.post('/notifications/segment/Buyers', { channel: 'email', content }), 202)
  await allow(ws, [])
  isRefused(await editor.post('/notifications/segment/Buyers', { channel: 'email', content }), 'content.ctaUrl')
  const [review] = await reviewsOf(ws.admin)
  expectStatus(await decide(ws.admin, review.id), 200)
  assert.match(email.mails()[0].html, /href="other:\/\/x"/)
})

test('a link that an app fills is judged when it is filled: in campaigns, in-app messages and mails', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await identify(ws.app, 'D', 'U', { traits: { link: 'other://x' } })
  const content = message('{{customAttributes.link}}')
  await launch(ws, editor, { content })
  const journey = await startJourney(ws, { steps: [{ type: 'in_app', content }] })
  await enroll(ws, journey, ['U'])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'journeys' }), 200)
  const shown = async () => {
    const { data } = expectStatus(await ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': 'D' } }), 200)
    const inApp = (await ws.blocks('D')).find(({ key }) => key === 'journey_message')
    const said = { title: 'Hi', body: 'x', ctaUrl: '{{customAttributes.link}}' }
    const sent = expectStatus(await editor.post('/notifications', { userId: 'U', channel: 'email', content: said }), 200)
    const mail = sent.data.reason ?? /href="(other:[^"]*)"/.exec(email.mails().at(-1).html)?.[1]
    return [data[0]?.content.ctaUrl, inApp?.values['#cta_url'], mail]
  }
  const all = ['other://x', 'other://x', 'other://x']
  assert.deepEqual(await shown(), all)
  await allow(ws, ['shop'])
  assert.deepEqual(await shown(), [undefined, undefined, 'unresolvedToken'])
  await allow(ws, ['other'])
  assert.deepEqual(await shown(), all)
})

test('the workspace as code has the list; a plan says which links it does not take, by the list that the document brings', async () => {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  await ws.instance('promo', { values: { '#link': 'other://x' } })
  await create(ws.admin, { content: message('other://x') })
  await makeJourney(ws.admin, { steps: [{ type: 'in_app', content: message('other://x') }] })
  const { data: whole } = await exported(ws)
  assert.equal(whole.settings.linkSchemes, null)

  const to = await workspace()
  await allow(to, ['shop'])
  const { settings: _, ...without } = whole
  const only = (kinds: string[]) => Object.fromEntries(Object.entries(without).filter(([kind]) => kinds.includes(kind)))
  await refused(to, only(['blocks', 'instances']), /^document: instances .*values\.#link must not use other: links/)
  await refused(to, only(['campaigns']), /^document: campaigns .*content\.en\.ctaUrl must not use other: links/)
  await refused(to, only(['journeys']), /^document: journeys .*content\.en\.ctaUrl must not use other: links/)
  const type = { ...whole.blocks[0], fields: [{ ...FIELDS[0], default: 'other://x' }] }
  await refused(to, { blocks: [type] }, /^document: blocks "promo": fields\[0\]\.default must not use other: links/)
  await refused(to, { settings: { linkSchemes: ['javascript'] } }, /settings\.linkSchemes.*may not be named/)
  await apply(to, { ...without, settings: { linkSchemes: ['other'] } })
  assert.deepEqual(expectStatus(await to.admin.get(PATH), 200).data, { schemes: ['other'] })

  // What is there stays, also where the same document names less than it uses.
  await apply(to, { settings: { linkSchemes: [] } })
  const { data: after } = await exported(to)
  assert.deepEqual((await plan(to.admin, after)).changes, [])
  const changed = { campaigns: [{ ...after.campaigns[0], name: 'Other' }] }
  const { version } = await plan(to.admin, changed)
  expectStatus(await applyPlanned(to.admin, changed, version), 200)
  await allow(ws, ['other'])
  await carry(ws, await workspace())
})
