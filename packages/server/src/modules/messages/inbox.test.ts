/** The inbox of apps (decision 68): what stays of in-app messages, on every device of a person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { launch, setStatus } from '../../../test/builders/campaigns.ts'
import { check, enroll, startJourney } from '../../../test/builders/journeys.ts'
import { deny, erase, identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openStream } from '../../../test/harness/streams.ts'
import { openMessages } from './index.ts'

const { workspace, ctx, advance, operator, url } = await startApp()

const DAY = 86_400
const stay = (title: string, days = 5) => ({ title, body: 'b', ctaLabel: 'Go', ctaUrl: '/offers', inbox: { days } })
const campaign = (title: string, days?: number) => ({ dispatchChannels: ['in_app'], content: { en: stay(title, days) } })
const on = (device: string, more: Record<string, string> = {}) => ({ headers: { 'x-cf-device': device, ...more } })
const inbox = async (app: Client, device: string, query = '') => {
  const { body } = await app.get(`/inbox${query}`, on(device))
  return { ...body.data, nextCursor: body.metadata.nextCursor, titles: body.data.items.map(({ title }: any) => title) }
}
const change = (app: Client, device: string, id: string, body: object) => app.post(`/inbox/${id}`, body, on(device))
const blocks = async (ws: Workspace, device: string) => (await ws.blocks(device)).filter(({ key }) => key === 'journey_message')

/** A workspace whose user U, on devices D and E, takes in-app messages. */
async function shop() {
  const ws = await workspace()
  for (const device of ['D', 'E']) await identify(ws.app, device, 'U', { name: 'Sara' })
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', channels: { inApp: true } }), 200)
  return { ws, app: ws.app, editor: await ws.editor() }
}

/** Messages of a journey, one after another. */
async function write(ws: Workspace, user: string, titles: readonly string[], days = 5) {
  const person = (await personRow(ctx, ws.id, user))!
  for (const title of titles) {
    const message = { journeyId: 'j', stepId: title, position: 0, occasion: 0, content: { en: stay(title, days) } }
    const expiresAt = new Date(ctx.clock.ms() + DAY * 1_000)
    await ctx.change({ workspaceId: ws.id, actor: 'system' }, (made) => openMessages(made, { ...message, expiresAt }, [person.id]))
  }
}

test('an in-app campaign that says so is in the inbox of every device, unread; one that does not is not', async () => {
  const { ws, app, editor } = await shop()
  const { id } = await launch(ws, editor, campaign('Hi {{name}}'))
  await launch(ws, editor, { dispatchChannels: ['in_app'], content: { en: { title: 'Passing' } } })
  const seen = await inbox(app, 'D')
  const [{ id: messageId, createdAt, ...item }] = seen.items
  assert.deepEqual(item, {
    title: 'Hi Sara',
    body: 'b',
    image: null,
    button: { label: 'Go', url: '/offers' },
    readAt: null,
    archivedAt: null,
    campaignId: id,
  })
  assert.match(createdAt, /Z$/)
  assert.deepEqual([seen.items.length, seen.unread, seen.nextCursor], [1, 1, null])
  const other = await inbox(app, 'E')
  assert.deepEqual([other.items[0].id, other.unread, other.revision], [messageId, 1, seen.revision])
  const shown = await blocks(ws, 'D')
  assert.equal(shown.length, 2)
  assert.ok(shown.every(({ values }) => !('#inbox' in values)))
})

test('whoever is not identified, or did not agree, has an empty inbox; without a device it is 400, and what is not theirs 404', async () => {
  const { ws, app, editor } = await shop()
  await launch(ws, editor, campaign('Hello'))
  const empty = { items: [], unread: 0, revision: 0, nextCursor: null, titles: [] }
  const [{ id }] = (await inbox(app, 'D')).items
  assert.deepEqual(await inbox(app, 'nobody'), empty)
  await identify(app, 'F', 'V')
  assert.deepEqual((await inbox(app, 'F')).items, [])
  assert.equal((await app.get('/inbox')).status, 400)
  assert.equal((await app.post(`/inbox/${id}`, { read: true })).status, 400)
  for (const device of ['nobody', 'F']) {
    assert.equal((await change(app, device, id, { read: true })).status, 404)
    assert.equal((await app.post('/inbox/read-all', { upTo: id }, on(device))).status, 404)
  }
  assert.equal((await change(app, 'D', 'unknown', { nonsense: 1 })).status, 404)
  assert.equal((await change(app, 'D', id, {})).status, 400)
  assert.equal((await change(app, 'D', id, { read: 'yes' })).status, 400)
  assert.equal((await app.post('/inbox/read-all', {}, on('D'))).status, 400)
  assert.equal((await app.get('/inbox?state=new', on('D'))).status, 400)
  assert.equal((await app.get('/inbox?cursor=x', on('D'))).status, 400)
  assert.equal((await inbox(app, 'D')).unread, 1)
  await deny(app, 'D')
  assert.deepEqual(await inbox(app, 'D'), empty)
})

test('whoever takes back that they take messages in the app sees none, and has them again when they agree again', async () => {
  const { ws, app, editor } = await shop()
  await launch(ws, editor, campaign('Hello'))
  const agree = async (inApp: boolean) => expectStatus(await app.post('/consent', { deviceId: 'D', channels: { inApp } }), 200)
  assert.equal((await inbox(app, 'D')).unread, 1)
  await agree(false)
  assert.deepEqual([(await inbox(app, 'E')).items, (await inbox(app, 'E')).unread], [[], 0])
  await agree(true)
  assert.equal((await inbox(app, 'E')).unread, 1)
})

test('what was dismissed or tapped is not shown again and stays as read; what was read is not shown again either', async () => {
  const { ws, app, editor } = await shop()
  const ids = [await launch(ws, editor, campaign('A')), await launch(ws, editor, campaign('B')), await launch(ws, editor, campaign('C'))]
  assert.deepEqual([(await blocks(ws, 'D')).length, (await inbox(app, 'D')).unread], [3, 3])
  for (const [index, type] of ['dismiss', 'cta_click'].entries()) {
    const event = { type, blockKey: 'journey_message', campaignId: ids[index]!.id }
    expectStatus(await app.post('/events', { deviceId: 'D', events: [event] }), 202)
  }
  const { items, unread, revision } = await inbox(app, 'E')
  assert.deepEqual([items.length, unread, (await blocks(ws, 'E')).length], [3, 1, 1])
  const { id } = items.find(({ readAt }: any) => readAt === null)
  assert.deepEqual(expectStatus(await change(app, 'E', id, { read: true }), 200).data, { unread: 0, revision: revision + 1 })
  assert.equal((await blocks(ws, 'D')).length, 0)
  assert.deepEqual(expectStatus(await change(app, 'D', id, { read: true }), 200).data, { unread: 0, revision: revision + 1 })
  assert.deepEqual(expectStatus(await change(app, 'D', id, { read: false }), 200).data, { unread: 1, revision: revision + 2 })
})

test('archived is neither unread nor in the list of all, and can be taken back', async () => {
  const { ws, app } = await shop()
  await write(ws, 'U', ['1', '2', '3'])
  const [, second] = (await inbox(app, 'D')).items
  assert.equal(expectStatus(await change(app, 'D', second.id, { archived: true }), 200).data.unread, 2)
  const titles = async () =>
    Promise.all(['unread', 'all', 'archived'].map(async (state) => (await inbox(app, 'E', `?state=${state}`)).titles.join(' ')))
  assert.deepEqual(await titles(), ['3 1', '3 1', '2'])
  expectStatus(await change(app, 'E', second.id, { archived: false, read: true }), 200)
  assert.deepEqual(await titles(), ['3 1', '3 2 1', ''])
})

test('a campaign that is over stays with what it said last, until its days are over; what is edited after that nobody sees', async () => {
  const { ws, app, editor } = await shop()
  const { id } = await launch(ws, editor, campaign('Before', 40))
  assert.deepEqual((await inbox(app, 'D')).titles, ['Before'])
  expectStatus(await setStatus(editor, id, 'completed'), 200)
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  expectStatus(await editor.put(`/campaigns/${id}`, { content: { en: { ...stay('Not approved', 40) } } }), 200)
  assert.deepEqual((await inbox(app, 'D')).titles, ['Before'])
  expectStatus(await setStatus(editor, id, 'completed'), 200)
  await advance(35 * DAY)
  await identify(app, 'D', 'U')
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
  assert.deepEqual((await inbox(app, 'D')).titles, ['Before'])
  const { revision } = await inbox(app, 'D')
  await advance(6 * DAY)
  await identify(app, 'D', 'U')
  const after = await inbox(app, 'D')
  assert.deepEqual([after.titles, after.unread], [[], 0])
  assert.ok(after.revision > revision, 'what is over is a change as well')
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
  const rows = await ctx.db.selectFrom('in_app_messages').select('id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(rows, [])
})

test('a step of a journey puts its message there too, and a campaign that is deleted takes its away', async () => {
  const { ws, app, editor } = await shop()
  const journey = await startJourney(ws, { steps: [{ type: 'in_app', content: { en: stay('Step') } }] })
  await enroll(ws, journey, ['U'])
  await check(operator)
  const { id } = await launch(ws, editor, campaign('Gone'))
  const { items, unread, revision } = await inbox(app, 'D')
  assert.deepEqual(
    [items.map(({ title, journeyId }: any) => [title, journeyId]), unread],
    [
      [
        ['Gone', undefined],
        ['Step', journey],
      ],
      2,
    ],
  )
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  expectStatus(await editor.delete(`/campaigns/${id}`), 200)
  const after = await inbox(app, 'D')
  assert.deepEqual([after.titles, after.unread], [['Step'], 1])
  assert.ok(after.revision > revision)
})

test('at most 200 stay, the oldest go; more than 99 unread are counted as 100; pages follow each other', async () => {
  const { ws, app } = await shop()
  const titles = Array.from({ length: 203 }, (_, index) => `m${index}`)
  await write(ws, 'U', titles)
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await inbox(app, 'D', `?cursor=${cursor}`)
    assert.equal(page.unread, 100)
    assert.ok(page.items.length <= 50)
    seen.push(...page.titles)
    cursor = page.nextCursor ?? ''
  } while (cursor !== '')
  assert.deepEqual(seen, titles.slice(3).toReversed())
})

test('read-all reads what the person could see, and not what came after', async () => {
  const { ws, app, editor } = await shop()
  await launch(ws, editor, campaign('Old'))
  await write(ws, 'U', ['1', '2'])
  const [first] = (await inbox(app, 'D')).items
  await write(ws, 'U', ['3'])
  assert.equal(expectStatus(await app.post('/inbox/read-all', { upTo: first.id }, on('D')), 200).data.unread, 1)
  assert.deepEqual((await inbox(app, 'E', '?state=unread')).titles, ['3'])
})

test('the stream of each of their devices is told, and of nobody else', async () => {
  const { ws, app } = await shop()
  await identify(app, 'F', 'V')
  const listen = (device: string) => openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': ws.live, 'x-cf-device': device })
  const streams = await Promise.all(['D', 'E', 'F'].map(listen))
  streams.push(await openStream(`${url}/sdk/v1/stream?key=${ws.live}&device=E`), await openStream(`${url}/sdk/v1/stream?key=${ws.live}`))
  for (const stream of streams) await stream.until('the greeting', () => stream.comments.length > 0)
  await write(ws, 'U', ['1'])
  const [{ id }] = (await inbox(app, 'D')).items
  const mine = [streams[0]!, streams[1]!, streams[3]!]
  for (const stream of mine) assert.equal((await stream.next()).event, 'inbox.updated')
  expectStatus(await change(app, 'D', id, { read: true }), 200)
  for (const stream of mine) assert.equal((await stream.next()).event, 'inbox.updated')
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'x' } })
  for (const stream of streams) {
    assert.equal((await stream.next()).event, 'block.published')
    stream.close()
  }
})

test('an answer has a tag of its own for each device, and is not sent again while nothing changed', async () => {
  const { ws, app } = await shop()
  await write(ws, 'U', ['1'])
  const first = await app.get('/inbox', on('D'))
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^".+"$/)
  assert.equal((await app.get('/inbox', on('D', { 'if-none-match': etag }))).status, 304)
  await write(ws, 'U', ['2'])
  assert.equal((await app.get('/inbox', on('D', { 'if-none-match': etag }))).status, 200)
})

test('texts are in the language that was asked for, and in another one rather than missing', async () => {
  const { ws, app, editor } = await shop()
  await launch(ws, editor, { dispatchChannels: ['in_app'], content: { en: stay('Hello'), ar: { title: 'مرحبا' } } })
  await launch(ws, editor, { dispatchChannels: ['in_app'], content: { ar: { ...stay('فقط'), body: '{{customAttributes.none}}' } } })
  assert.deepEqual((await inbox(app, 'D', '?locale=ar')).titles.toSorted(), ['فقط', 'مرحبا'].toSorted())
  const english = await inbox(app, 'D', '?locale=en')
  assert.deepEqual(english.titles.toSorted(), ['Hello', 'فقط'].toSorted())
  assert.deepEqual([english.unread, english.items.find(({ title }: any) => title === 'فقط').body], [2, null])
})

test('two that become one have one message of a campaign, read when either read it, and a later revision than both had', async () => {
  const { ws, app, editor } = await shop()
  await identify(app, 'A')
  expectStatus(await app.post('/consent', { deviceId: 'A', channels: { inApp: true } }), 200)
  await launch(ws, editor, campaign('Both'))
  const [mine] = (await inbox(app, 'D')).items
  expectStatus(await change(app, 'D', mine.id, { read: true }), 200)
  await write(ws, 'A', ['1', '2'])
  const [before, anonymous] = [await inbox(app, 'D'), await inbox(app, 'A')]
  assert.deepEqual([before.unread, anonymous.unread], [0, 3])
  await identify(app, 'A', 'U')
  for (const device of ['A', 'D']) {
    const after = await inbox(app, device)
    assert.deepEqual([after.titles.toSorted(), after.unread], [['1', '2', 'Both'], 2])
    assert.ok(after.revision > before.revision && after.revision > anonymous.revision)
  }
  // Whoever reads all by what they saw before the merge reads nothing that came with it.
  expectStatus(await app.post('/inbox/read-all', { upTo: mine.id }, on('D')), 200)
  assert.equal((await inbox(app, 'D')).unread, 2)
})

test('an erasure takes the inbox', async () => {
  const { ws, app } = await shop()
  await write(ws, 'U', ['1'])
  await erase(app, 'D')
  assert.equal((await inbox(app, 'D')).unread, 0)
  const rows = await ctx.db.selectFrom('in_app_messages').select('id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(rows, [])
})

test('what is no stay is refused, in a campaign and in a step, and a step that sends has none', async () => {
  const { editor, ws } = await shop()
  for (const days of [0, 91, 1.5, '5', null]) {
    const content = { en: { title: 'x', inbox: { days } } }
    const refused = await editor.post('/campaigns', { name: 'n', type: 't', content })
    assert.deepEqual([refused.status, refused.body.error], [400, 'content.en.inbox.days must be a whole number from 1 to 90'])
    const step = await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'manual' }, steps: [{ type: 'in_app', content }] })
    assert.equal(step.status, 400)
  }
  const send = { type: 'send', channel: 'push', content: { en: { title: 'x', inbox: { days: 1 } } } }
  const step = await ws.admin.post('/journeys', { name: 'n', trigger: { type: 'manual' }, steps: [send] })
  assert.equal(step.status, 400)
  assert.match(step.body.error, /inbox/)
})
