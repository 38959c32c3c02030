/**
 * Whatever anybody does in whatever order: what is approved or live holds exactly what somebody with approval rights agreed
 * to, and what was submitted was agreed to by another person. The seed of a failing history is in its error.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertProperty } from '../../../../test/harness/assert-property.ts'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { create, read } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { hashContent } from './seal.ts'

const { workspace, ctx, advance, operator } = await startApp()

const WHO = ['admin', 'admin2', 'approver', 'editor', 'editor2', 'viewer'] as const
type Who = (typeof WHO)[number]
type Act = { who: Who; kind: string; value: string }

const who = fc.constantFrom(...WHO)
const doing = (kind: string, ...values: string[]) => fc.record({ who, kind: fc.constant(kind), value: fc.constantFrom(...values) })
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: doing('edit', 'a', 'b', 'c') },
  { weight: 5, arbitrary: doing('submit', '') },
  { weight: 5, arbitrary: doing('approve', 'live', 'test', '') },
  { weight: 1, arbitrary: doing('reject', '') },
  { weight: 1, arbitrary: doing('recall', '') },
  { weight: 4, arbitrary: doing('decide', 'approve', 'reject') },
  { weight: 5, arbitrary: doing('status', 'active', 'test', 'scheduled', 'approved', 'paused', 'draft', 'completed') },
  { weight: 1, arbitrary: doing('wait', '') },
)

/** Where a history begins: most would not come far by themselves. */
const begun = (value: string): Act[] => [
  { who: 'editor', kind: 'submit', value: '' },
  { who: 'admin', kind: 'approve', value },
]
const story = fc
  .tuple(fc.constantFrom<Act[][]>([], begun('live'), begun('test'), begun('')), fc.array(act, { minLength: 8, maxLength: 20 }))
  .map(([beginning, steps]) => [...beginning, ...steps])

const APPROVED = new Set(['approved', 'scheduled', 'active', 'test', 'paused'])
const APPROVERS: ReadonlySet<Who> = new Set(['admin', 'admin2', 'approver'])

/** What the server says it did, and what that means for what has been agreed to. */
class Agreed {
  title: string | undefined
  submitter: Who | undefined
  readonly asked = new Map<string, { title: string; by: Who }>()
}

const ws = await workspace()
const secondEditor = await ws.editor()
const secondAdmin = await ws.editor()
const secondAdminId = (await secondAdmin.get('/auth/me')).data.user.userId
expectStatus(await ws.admin.put(`/members/${secondAdminId}`, { role: 'admin', canApprove: true }), 200)
const clients: Record<Who, Client> = {
  admin: ws.admin,
  admin2: secondAdmin,
  approver: await ws.approver(),
  editor: await ws.editor(),
  editor2: secondEditor,
  viewer: await ws.viewer(),
}

test('M-CAMP-13 M-CAMP-29 M-CAMP-30 M-CAMP-33 nothing is approved or live that nobody else agreed to, by no sequence of steps', async () => {
  await assertProperty([story], (steps) => live(steps), { numRuns: 40, interruptAfterTimeLimit: 60_000 })
})

async function live(steps: readonly Act[]): Promise<void> {
  const schedule = { startTime: new Date(ctx.clock.ms() + 30_000).toISOString() }
  const { id } = await create(clients.editor, { content: { en: { title: 'first' } }, schedule })
  const agreed = new Agreed()
  for (const step of steps) {
    await take(id, step, agreed)
    const campaign = await read(ws.admin, id)
    if (!APPROVED.has(campaign.status)) continue
    assert.equal(campaign.content.en.title, agreed.title, JSON.stringify(step))
    assert.equal(campaign.seal.hash, hashContent(campaign))
  }
}

async function take(id: string, { who: name, kind, value }: Act, agreed: Agreed): Promise<void> {
  const by = clients[name]
  const path = `/campaigns/${id}`
  if (kind === 'wait') {
    await advance(40)
    expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
  } else if (kind === 'edit') {
    const answer = await by.put(path, { content: { en: { title: value } } })
    if (answer.status === 202) agreed.asked.set(answer.data.editRequestId, { title: value, by: name })
    // An approver's own change is agreed to by them (M-CAMP-34); nobody else's comes through at once.
    else if (answer.status === 200 && APPROVED.has(answer.data.status)) {
      assert.ok(APPROVERS.has(name), name)
      agreed.title = value
    }
  } else if (kind === 'submit') {
    if ((await by.post(`${path}/submit-review`, {})).status === 200) agreed.submitter = name
  } else if (kind === 'approve') {
    const answer = await by.post(`${path}/approve`, value === '' ? {} : { activateTarget: value })
    if (answer.status !== 200) return
    assert.ok(APPROVERS.has(name) && name !== agreed.submitter, `${name} approved what ${agreed.submitter} submitted`)
    agreed.title = answer.data.content.en.title
  } else if (kind === 'decide') await decide(id, name, value, agreed)
  else if (kind === 'status') await by.patch(`${path}/status`, { status: value })
  else await by.post(`${path}/${kind}`, { note: 'n' })
}

async function decide(id: string, name: Who, how: string, agreed: Agreed): Promise<void> {
  const [rid, request] = [...agreed.asked].at(-1) ?? []
  if (rid === undefined || !request) return
  const { status } = await clients[name].post(`/campaigns/${id}/edit-requests/${rid}/${how}`, { note: 'n' })
  if (status !== 200) return
  assert.ok(APPROVERS.has(name) && name !== request.by)
  if (how === 'approve') agreed.title = request.title
  agreed.asked.delete(rid)
}
