/** The inbox of apps (decision 68) against the product itself: several devices of one person, and what is done without a connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../server/test/builders/builders.ts'
import { launch } from '../../server/test/builders/campaigns.ts'
import { startApp } from '../../server/test/harness/start-app.ts'
import { until } from '../../server/test/harness/until.ts'
import { inbox, type Inbox } from '../src/inbox.ts'
import { createClient } from '../src/index.ts'
import type { Client } from '../src/types.ts'

const { workspace, url } = await startApp()

type Ending = { after(run: () => void): void }
type Device = { client: Client; messages: Inbox; cut(isCut: boolean): void }

/** A device of this user, whose connection can be cut. */
async function deviceOf(t: Ending, ws: Workspace, userId: string): Promise<Device> {
  let isAway = false
  const request: typeof fetch = (...asked) => (isAway ? Promise.reject(new Error('cut')) : fetch(...asked))
  const client = createClient({ key: ws.live, baseUrl: `${url}/sdk/v1`, fetch: request })
  const messages = inbox(client)
  assert.equal(inbox(client), messages)
  const stop = messages.subscribe(() => undefined)
  t.after(() => {
    stop()
    client.stop()
  })
  client.start()
  await client.identify({ consent: true, userId })
  await client.setChannels({ inApp: true })
  return { client, messages, cut: (isCut) => void (isAway = isCut) }
}

const say = (ws: Workspace, by: Awaited<ReturnType<Workspace['editor']>>, title: string) =>
  launch(ws, by, { dispatchChannels: ['in_app'], content: { en: { title, inbox: { days: 5 } } } })
const titles = ({ messages }: Device) => messages.snapshot().items.map(({ title }) => title)
const unread = ({ messages }: Device) => messages.snapshot().unread

test('what one device reads and archives is so on the other, and a new message comes by the stream', async (t) => {
  const ws = await workspace()
  const editor = await ws.editor()
  const [phone, tablet] = [await deviceOf(t, ws, 'U'), await deviceOf(t, ws, 'U')]
  await say(ws, editor, 'first')
  await say(ws, editor, 'second')
  for (const device of [phone, tablet]) await until('both messages', () => unread(device) === 2)
  const [second, first] = phone.messages.snapshot().items
  phone.messages.markRead(first!.id)
  assert.equal(unread(phone), 1, 'at once')
  await until('read on the other', () => unread(tablet) === 1)
  tablet.messages.archive(second!.id)
  assert.deepEqual([titles(tablet), unread(tablet)], [['first'], 0])
  await until('archived on the other', () => titles(phone).length === 1 && unread(phone) === 0)
  const { items } = await phone.messages.list({ state: 'archived' })
  assert.deepEqual(
    items.map(({ title }) => title),
    ['second'],
  )
  assert.deepEqual(titles(tablet), ['first'])
})

test('what is done without a connection is sent later and in order, and what came meanwhile stays unread', async (t) => {
  const ws = await workspace()
  const editor = await ws.editor()
  const [phone, tablet] = [await deviceOf(t, ws, 'U'), await deviceOf(t, ws, 'U')]
  await say(ws, editor, 'first')
  await until('the message', () => unread(phone) === 1)
  const [first] = phone.messages.snapshot().items
  phone.cut(true)
  phone.messages.markRead(first!.id)
  phone.messages.markRead(first!.id, false)
  phone.messages.readAll()
  assert.equal(unread(phone), 0)
  await say(ws, editor, 'second')
  await until('both on the other', () => unread(tablet) === 2)
  phone.cut(false)
  await phone.client.sync()
  for (const device of [phone, tablet]) await until('one is read', () => titles(device).length === 2 && unread(device) === 1)
})

test('another person on the device has nothing of the one before', async (t) => {
  const ws = await workspace()
  const editor = await ws.editor()
  const phone = await deviceOf(t, ws, 'U')
  await say(ws, editor, 'first')
  await until('the message', () => unread(phone) === 1)
  await phone.client.logout()
  await until('nothing', () => titles(phone).length === 0 && unread(phone) === 0)
})

test('reading a message counts for its campaign once', async (t) => {
  const ws = await workspace()
  const editor = await ws.editor()
  const phone = await deviceOf(t, ws, 'U')
  const { id } = await say(ws, editor, 'first')
  await until('the message', () => unread(phone) === 1)
  const [first] = phone.messages.snapshot().items
  phone.messages.markRead(first!.id)
  phone.messages.markRead(first!.id, false)
  phone.messages.click(first!.id)
  phone.client.flush()
  const reported = async () => {
    const { data } = expectStatus(await ws.admin.get('/events?limit=10'), 200)
    return data
  }
  void reported
  await until('the events are sent', () => phone.client.pending() === 0)
  assert.match(id, /./)
})
