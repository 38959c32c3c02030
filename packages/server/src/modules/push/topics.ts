import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { byApp, findDevice, lockOwnDevice, updateDevice, writePeople } from '../people/index.ts'

/** G-27: what the installation subscribed to, in the order it did. A device that is not this environment's has none. */
export async function listTopics(ctx: Context, caller: AppCaller, deviceId: string): Promise<string[]> {
  const device = await findDevice(ctx.db, caller.workspaceId, deviceId)
  return device?.environment === caller.environment ? device.push_topics : []
}

export async function addTopic(ctx: Context, caller: AppCaller, deviceId: string, topic: unknown): Promise<string[]> {
  const added = readTopic(topic)
  return changeTopics(ctx, caller, deviceId, (topics) => {
    if (topics.includes(added)) return topics
    if (topics.length >= LIMITS.topicsPerDevice) failWith(400, `A device can have at most ${LIMITS.topicsPerDevice} topics`)
    return [...topics, added]
  })
}

/** Removing one that is not there changes nothing. */
export async function removeTopic(ctx: Context, caller: AppCaller, deviceId: string, topic: string): Promise<string[]> {
  const removed = readTopic(topic)
  return changeTopics(ctx, caller, deviceId, (topics) => topics.filter((kept) => kept !== removed))
}

async function changeTopics(ctx: Context, caller: AppCaller, deviceId: string, change: (topics: string[]) => string[]): Promise<string[]> {
  return writePeople(ctx, byApp(caller), async ({ tx, now }) => {
    const { push_topics: before } = await lockOwnDevice(tx, caller, deviceId, now)
    const after = change(before)
    if (after.length !== before.length) await updateDevice(tx, caller.workspaceId, deviceId, { push_topics: after })
    return after
  })
}

function readTopic(topic: unknown): string {
  if (typeof topic === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(topic)) return topic
  return failWith(400, 'topic must have 1 to 64 letters, digits, _ or -')
}
