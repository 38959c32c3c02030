/** Topics of a workspace: made, changed, archived (decision 74). */
import { topicFault, type Topic } from '@contentflow/core/identity/consent/topics.ts'
import { readTopic } from '@contentflow/core/identity/consent/read-topic.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor, Change } from '../../infra/change.ts'
import { archiveTopic, countTopics, findTopic, listTopics, lockTopics, saveTopic, type StoredTopic } from './queries-topics.ts'

/** An id that was archived may be used again; what people answered to it holds again. */
export async function createTopic(ctx: Context, by: Actor, body: JsonObject): Promise<StoredTopic> {
  const topic = readOrRefuse(body)
  return ctx.change(by, async (change) => {
    await lockTopics(change.tx, change.workspaceId)
    const before = await findTopic(change.tx, change.workspaceId, topic.id)
    if (before && !before.archivedAt) fail('TOPIC_EXISTS')
    return writeTopic(change, topic)
  })
}

/** All members but the id; those that may be left out are then what a new topic has. */
export async function changeTopic(ctx: Context, by: Actor, id: string, body: JsonObject): Promise<StoredTopic> {
  if (body['id'] !== undefined && body['id'] !== id) failWith(400, 'id stays what it is')
  const topic = readOrRefuse({ ...body, id })
  return ctx.change(by, async (change) => {
    await lockTopics(change.tx, change.workspaceId)
    await requireTopic(change.tx, change.workspaceId, id)
    return writeTopic(change, topic)
  })
}

/** Messages that name it already go on to be held against what people said. */
export async function removeTopic(ctx: Context, by: Actor, id: string): Promise<void> {
  await ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    await lockTopics(tx, workspaceId)
    await requireTopic(tx, workspaceId, id)
    await refuseArchiving(tx, workspaceId)
    await archiveTopic(tx, workspaceId, id, now)
  })
}

/** 404 for what is not there, or archived. */
export async function requireTopic(db: Db, workspaceId: string, id: string): Promise<StoredTopic> {
  const topic = await findTopic(db, workspaceId, id)
  return topic && !topic.archivedAt ? topic : failWith(404, 'topic not found')
}

/** Inside a change that holds the settings: what a document writes and leaves out. */
export async function applyTopics(
  change: Change,
  { written, deleted }: { written: readonly Topic[]; deleted: readonly string[] },
): Promise<void> {
  const { tx, workspaceId, now } = change
  for (const id of deleted) {
    await refuseArchiving(tx, workspaceId)
    await archiveTopic(tx, workspaceId, id, now)
  }
  for (const topic of written) await writeTopic(change, topic)
}

/** Where a message names its topic, and which channels it leaves through. */
type Naming = { topic: string | undefined; channels: readonly string[]; at: string }

/** 400 with the path where a message is about a topic that is not there, is archived, or is not sent over its channel. */
export async function refuseTopics(db: Db, workspaceId: string, named: readonly Naming[]): Promise<void> {
  const about = named.flatMap(({ topic, ...rest }) => (topic === undefined ? [] : [{ topic, ...rest }]))
  if (about.length === 0) return
  const topics = await listTopics(db, workspaceId)
  for (const each of about) {
    const fault = topicFault(topics, each)
    if (fault !== undefined) failWith(400, fault)
  }
}

async function writeTopic(change: Change, topic: Topic): Promise<StoredTopic> {
  const { tx, workspaceId, now } = change
  const before = await findTopic(tx, workspaceId, topic.id)
  const isNew = !before || before.archivedAt !== null
  if (isNew && (await countTopics(tx, workspaceId)).open >= LIMITS.messageTopics) fail('TOPIC_LIMIT')
  await saveTopic(tx, workspaceId, topic, now)
  const kept: Partial<StoredTopic> = { ...before }
  delete kept.createdAt
  delete kept.archivedAt
  change.audited('message-topic', topic.id, isNew ? undefined : kept, topic)
  return { ...topic, createdAt: before?.createdAt ?? now, updatedAt: now, archivedAt: null }
}

async function refuseArchiving(tx: Db, workspaceId: string): Promise<void> {
  if ((await countTopics(tx, workspaceId)).archived >= LIMITS.archivedTopics) fail('TOPIC_LIMIT')
}

function readOrRefuse(body: JsonObject): Topic {
  const read = readTopic(body)
  return read.ok ? read.value : failWith(400, read.error)
}
