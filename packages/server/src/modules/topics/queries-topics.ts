import { sql, type Selectable } from 'kysely'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import type { JudgedTopic, Topic, TopicTexts } from '@contentflow/core/identity/consent/topics.ts'
import { preferencePage, type PreferencePage } from '@contentflow/core/identity/consent/preference-page.ts'
import type { Db } from '../../db/open.ts'
import type { MessageTopics } from '../../db/schema.ts'

export type StoredTopic = Topic & { createdAt: Date; updatedAt: Date; archivedAt: Date | null }

/** One transaction at a time changes the topics of a workspace; they are held by its settings. */
export async function lockTopics(tx: Db, workspaceId: string): Promise<void> {
  await tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute()
}

/** Those that messages may name, in the order in which people see them. */
export async function listTopics(db: Db, workspaceId: string): Promise<StoredTopic[]> {
  const rows = await ofWorkspace(db, workspaceId).where('archived_at', 'is', null).orderBy('position').orderBy('id').execute()
  return rows.map(toTopic)
}

/** As a document holds them. */
export async function listTopicCode(db: Db, workspaceId: string): Promise<Topic[]> {
  const topics = await listTopics(db, workspaceId)
  return topics.map(({ createdAt: _created, updatedAt: _updated, archivedAt: _archived, ...topic }) => topic)
}

export async function findTopic(db: Db, workspaceId: string, id: string): Promise<StoredTopic | undefined> {
  const row = await ofWorkspace(db, workspaceId).where('id', '=', id).executeTakeFirst()
  return row && toTopic(row)
}

/**
 * What decides whether people get a message about this topic, also when it was archived after the message named it. One that is
 * not there any more presumes nothing against what people said.
 */
export async function judgedTopic(db: Db, workspaceId: string, id: string | undefined): Promise<JudgedTopic | undefined> {
  if (id === undefined) return undefined
  return { id, mode: (await findTopic(db, workspaceId, id))?.mode ?? 'opt_out' }
}

/** The same of every topic, by its id. */
export async function listJudgedTopics(db: Db, workspaceId: string): Promise<Map<string, JudgedTopic>> {
  const rows = await db.selectFrom('message_topics').select(['id', 'mode']).where('workspace_id', '=', workspaceId).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function countTopics(db: Db, workspaceId: string): Promise<{ open: number; archived: number }> {
  return db
    .selectFrom('message_topics')
    .select(({ fn, ref }) => [
      fn.countAll<number>().filterWhere(ref('archived_at'), 'is', null).as('open'),
      fn.countAll<number>().filterWhere(ref('archived_at'), 'is not', null).as('archived'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
}

/** What the workspace chose of the page on which people choose. */
export async function findPreferencePage(db: Db, workspaceId: string): Promise<PreferencePage> {
  const row = await db.selectFrom('workspaces').select('preference_page').where('id', '=', workspaceId).executeTakeFirst()
  return preferencePage(row?.preference_page ?? null)
}

export async function savePreferencePage(tx: Db, workspaceId: string, chosen: PreferencePage): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ preference_page: JSON.stringify(chosen) })
    .where('id', '=', workspaceId)
    .execute()
}

/** Whether mails link that page. */
export async function isPageInMails(db: Db, workspaceId: string): Promise<boolean> {
  const { inMails } = await findPreferencePage(db, workspaceId)
  return inMails === 'always' || (await countTopics(db, workspaceId)).open > 0
}

/** One that was archived comes back as it is said now. */
export async function saveTopic(tx: Db, workspaceId: string, topic: Topic, now: Date): Promise<void> {
  const { names, descriptions, channels, mode, position } = topic
  const said = { names: JSON.stringify(names), descriptions: JSON.stringify(descriptions), channels, mode, position, updated_at: now }
  await tx
    .insertInto('message_topics')
    .values({ workspace_id: workspaceId, id: topic.id, ...said, created_at: now, archived_at: null })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet({ ...said, archived_at: null }))
    .execute()
}

/** Those that messages may name, for a workspace that has none yet. */
export async function copyTopics(tx: Db, from: string, to: string, now: Date): Promise<void> {
  await sql`
    insert into message_topics (workspace_id, id, names, descriptions, channels, mode, position, created_at, updated_at)
    select ${to}, id, names, descriptions, channels, mode, position, ${now}::timestamptz, ${now}::timestamptz
    from message_topics where workspace_id = ${from} and archived_at is null`.execute(tx)
}

export async function archiveTopic(tx: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('message_topics')
    .set({ archived_at: now, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

function ofWorkspace(db: Db, workspaceId: string) {
  return db.selectFrom('message_topics').selectAll().where('workspace_id', '=', workspaceId)
}

function toTopic(row: Selectable<MessageTopics>): StoredTopic {
  return {
    id: row.id,
    names: row.names as TopicTexts,
    descriptions: row.descriptions as TopicTexts,
    channels: row.channels as ChannelType[],
    mode: row.mode,
    position: row.position,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  }
}
