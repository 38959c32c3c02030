/** Sections of a mail that only members of a segment get (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { approve, create, launch, read, submit } from '../builders/campaigns.ts'
import { enroll, makeJourney, startJourney } from '../builders/journeys.ts'
import * as journeys from '../builders/journeys.ts'
import { MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { operator } = app
const work = async () => {
  await journeys.check(operator)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}

const RULE = { field: 'demographic.email', operator: 'equals', value: 'g@example.com' }
const makeGold = async ({ admin }: Workspace) =>
  expectStatus(await admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules: [RULE] }), 201).data.id as string
/** The section with `Scarves` is for members of Gold. */
const FOR_GOLD = { ...MAIL, sections: MAIL.sections.map((section) => (section.id === 'two' ? { ...section, showTo: 'Gold' } : section)) }
const campaign = (mail: unknown = FOR_GOLD) => ({ content: {}, dispatchChannels: ['email'], mail })
const seesGold = (mail: { html: string; text: string } | undefined) => [/Scarves/.test(mail?.html ?? ''), /Scarves/.test(mail?.text ?? '')]

test('only members get the section, over a campaign, a step and a one-off message, also once the segment is called otherwise', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['G', 'S'])
  const gold = await makeGold(ws)
  const { id } = await create(editor, campaign())
  const preview = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.equal(preview.channels.email.reachable, 2)
  await launch(ws, editor, campaign())
  expectStatus(await ws.admin.put(`/segments/${gold}`, { name: 'Golden', renameUses: true }), 200)
  await work()
  assert.deepEqual(
    [seesGold(mailTo('G')), seesGold(mailTo('S'))],
    [
      [true, true],
      [false, false],
    ],
  )
  assert.match(mailTo('S')?.html ?? '', /See the order/)
  const step = { id: 'mail', type: 'send', channel: 'email', content: {}, mail: { ...FOR_GOLD } }
  const journey = await startJourney(ws, { steps: [step] })
  await enroll(ws, journey, ['S', 'G'])
  await work()
  assert.deepEqual(
    [seesGold(mailTo('G')), seesGold(mailTo('S'))],
    [
      [true, true],
      [false, false],
    ],
  )
  for (const [userId, sees] of [
    ['S', false],
    ['G', true],
  ] as const) {
    expectStatus(await ws.admin.post('/notifications', { userId, channel: 'email', mail: FOR_GOLD }), 200)
    assert.deepEqual(seesGold(mailTo(userId)), [sees, sees])
  }
})

test('whoever would get nothing but the footer gets no mail, which the preview, a try and the ledger say', async () => {
  const { ws, editor, email } = await shopWithMail(app)
  await addPeople(ws, ['G', 'S'])
  await makeGold(ws)
  const all = { ...MAIL, sections: MAIL.sections.map((section) => (section.type === 'footer' ? section : { ...section, showTo: 'Gold' })) }
  const { id } = await launch(ws, editor, campaign(all))
  const { channels } = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.deepEqual([channels.email.reachable, channels.email.skipped], [1, { noContent: 1 }])
  await work()
  assert.deepEqual(
    email.mails().map(({ to }) => to[0]),
    ['g@example.com'],
  )
  const { sends } = expectStatus(await ws.admin.get(`/sends?sourceId=${id}&state=skipped`), 200).data
  assert.deepEqual(
    sends.map(({ userId, reason }: any) => [userId, reason]),
    [['S', 'noContent']],
  )
  const journey = await makeJourney(ws.admin, { steps: [{ id: 'mail', type: 'send', channel: 'email', content: {}, mail: all }] })
  const tried = async (user: string) =>
    JSON.stringify(expectStatus(await ws.admin.post(`/journeys/${journey.id}/test-run`, { userIds: [user], days: 1 }), 200).data)
  assert.deepEqual([(await tried('S')).includes('noContent'), (await tried('G')).includes('noContent')], [true, false])
})

test('its segments are sealed as those of the audience are, count as uses, and one that is unknown is named', async () => {
  const { ws, editor } = await shopWithMail(app)
  const gold = await makeGold(ws)
  const { id } = await create(editor, campaign())
  const uses = expectStatus(await ws.admin.get(`/segments/${gold}`), 200).data.usedBy.campaigns
  assert.deepEqual(
    uses.map((use: any) => use.id),
    [id],
  )
  expectStatus(await submit(editor, id), 200)
  expectStatus(await approve(ws.admin, id, { activateTarget: 'test' }), 200)
  assert.deepEqual((await read(editor, id)).changedSinceApproval ?? [], [])
  const other = { name: 'Gold', logicalOperator: 'AND', rules: [{ ...RULE, value: 's@example.com' }] }
  expectStatus(await ws.admin.put(`/segments/${gold}`, other), 200)
  assert.deepEqual(
    (await read(editor, id)).changedSinceApproval.map(({ kind, name }: any) => [kind, name]),
    [['segment', 'Gold']],
  )
  const unknown = {
    ...FOR_GOLD,
    sections: FOR_GOLD.sections.map((section) => ('showTo' in section ? { ...section, showTo: 'Nobody' } : section)),
  }
  const { warnings } = await create(editor, campaign(unknown))
  assert.deepEqual(
    warnings.filter(({ code }: any) => code === 'unknown_segment'),
    [{ code: 'unknown_segment', segment: 'Nobody' }],
  )
  const wrong = { ...FOR_GOLD, sections: FOR_GOLD.sections.map((section) => ('showTo' in section ? { ...section, showTo: ' ' } : section)) }
  const refused = await editor.post('/campaigns', { name: 'x', type: 'promo', ...campaign(wrong) })
  assert.deepEqual([refused.status, refused.body.error], [400, 'mail.sections[2].showTo must be the name of a segment'])
})
