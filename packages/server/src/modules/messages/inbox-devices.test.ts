/**
 * Three devices of one person at once, whose answers get lost and overtake each other (decision 68): what each device counts is
 * what the server counts, once nothing is under way. The seed of a run that fails is in its message.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify, personRow } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openMessages } from './index.ts'

const { workspace, ctx } = await startApp()

const ROUNDS = Number(process.env['CF_INBOX_ROUNDS'] ?? 4)
const STEPS = 40
const DEVICES = ['D', 'E', 'F']

type Count = { unread: number; revision: number }
/** What an app keeps: of two answers the later state, whichever came first. */
type Device = { name: string; known: Count; items: string[] }

function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function countOf(ws: Workspace, profileId: string): Promise<number> {
  const rows = await ctx.db
    .selectFrom('in_app_messages')
    .select('id')
    .where('workspace_id', '=', ws.id)
    .where('profile_id', '=', profileId)
    .where('is_inbox', '=', true)
    .where('read_at', 'is', null)
    .where('archived_at', 'is', null)
    .execute()
  return rows.length
}

async function round(seed: number): Promise<void> {
  const random = randomFrom(seed)
  const ws = await workspace()
  for (const device of DEVICES) await identify(ws.app, device, 'U')
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', channels: { inApp: true } }), 200)
  const { id: profileId } = (await personRow(ctx, ws.id, 'U'))!
  const devices: Device[] = DEVICES.map((name) => ({ name, known: { unread: 0, revision: 0 }, items: [] }))
  /** By revision: one state has one count. */
  const states = new Map<number, number>()
  const late: (() => void)[] = []
  let made = 0
  const hear = (device: Device, count: Count) => {
    assert.equal(states.get(count.revision) ?? count.unread, count.unread, `two counts of revision ${count.revision}`)
    states.set(count.revision, count.unread)
    const take = () => {
      if (count.revision >= device.known.revision) device.known = count
    }
    const fate = random(4)
    if (fate === 0) return
    if (fate === 1) late.splice(random(late.length + 1), 0, take)
    else take()
  }
  const write = async () => {
    const message = { journeyId: 'j', stepId: `s${made++}`, position: 0, occasion: 0, content: { en: { title: 'x', inbox: { days: 5 } } } }
    const expiresAt = new Date(ctx.clock.ms() + 600_000)
    await ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) => openMessages(change, { ...message, expiresAt }, [profileId]))
  }
  const read = async (device: Device) => {
    const { data } = expectStatus(await ws.app.get('/inbox', { headers: { 'x-cf-device': device.name } }), 200)
    device.items = data.items.map(({ id }: { id: string }) => id)
    return data as Count
  }
  const change = async (device: Device) => {
    const id = device.items[random(device.items.length)]
    if (id === undefined) return
    const headers = { 'x-cf-device': device.name }
    const kind = random(6)
    if (kind === 0) {
      await ws.app.post('/events', dismissal(device.name, id))
      return
    }
    const body = [{ read: true }, { read: false }, { archived: true }, { archived: false }][kind - 1]
    const answer = body
      ? await ws.app.post(`/inbox/${id}`, body, { headers })
      : await ws.app.post('/inbox/read-all', { upTo: id }, { headers })
    hear(device, expectStatus(answer, 200).data)
  }
  for (let step = 0; step < STEPS; step++) {
    const together = Array.from({ length: 1 + random(4) }, async () => {
      const device = devices[random(devices.length)]!
      const what = random(8)
      if (what < 2) await write()
      else if (what < 4) hear(device, await read(device))
      else await change(device)
    })
    await Promise.all(together)
    if (late.length > 3) late.shift()?.()
  }
  // The last signal makes every device read once more; what was still on its way arrives after that.
  for (const device of devices) device.known = later(device.known, await read(device))
  for (const take of late) take()
  const counted = await countOf(ws, profileId)
  for (const { name, known } of devices) assert.equal(known.unread, Math.min(counted, 100), `device ${name}, seed ${seed}`)
}

const later = (known: Count, next: Count) => (next.revision >= known.revision ? next : known)
const dismissal = (deviceId: string, id: string) => ({
  deviceId,
  events: [{ type: 'dismiss', blockKey: 'journey_message', instanceId: `msg_${id}` }],
})

test('whatever three devices do at once, and whatever gets lost or overtakes: at rest all count the same', async () => {
  const first = Number(process.env['CF_INBOX_SEED'] ?? 1)
  for (let seed = first; seed < first + ROUNDS; seed++) await round(seed)
})
