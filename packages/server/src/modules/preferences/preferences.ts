/** What a person decides about their messages: read, and written as one group of the consent ledger (decision 74). */
import { CHANNEL_TYPES, type ChannelType } from '@contentflow/core/channels/channel.ts'
import { decisionChanges, type Decisions } from '@contentflow/core/identity/consent/decisions.ts'
import {
  decidePreferences,
  leaveAll,
  preferencesOf,
  type Offered,
  type Preferences,
} from '@contentflow/core/identity/consent/preferences.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { contactOf } from '@contentflow/core/messages/judge.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'
import { aboutPerson } from '../../infra/concurrency/limiters.ts'
import {
  appendLedger,
  decisionColumns,
  decisionsOf,
  findSubjectSalt,
  listErased,
  lockNamed,
  patchProfile,
  subjectOfPerson,
  type ConsentOrigin,
  type ProfileRow,
} from '../people/index.ts'
import { findTracking } from '../responses/index.ts'
import { changePeople, type PeopleChange } from '../segments/index.ts'
import { listTopics, type StoredTopic } from '../topics/index.ts'
import { findNamedOwner, hasPushDevice } from './queries-preferences.ts'

/** Of whom the page is. */
export type Owner = { workspaceId: string; profileId: string }
export type OwnPage = { profile: ProfileRow; topics: readonly StoredTopic[]; offered: Offered; preferences: Preferences }

/** Undefined: nobody, who was erased included. */
export async function readPreferences({ db }: Pick<Context, 'db'>, { workspaceId, profileId }: Owner): Promise<OwnPage | undefined> {
  const profile = await findNamedOwner(db, workspaceId, profileId)
  if (!profile || (await isErased(db, profile))) return undefined
  return ownPage(db, profile)
}

async function ownPage(db: Db, profile: ProfileRow): Promise<OwnPage> {
  const { workspace_id: workspaceId } = profile
  const hasPushToken = await hasPushDevice(db, workspaceId, profile.id)
  const topics = await listTopics(db, workspaceId)
  const offered = { reached: reachedOver(profile, hasPushToken), topics, tracking: await findTracking(db, workspaceId) }
  return { profile, topics, offered, preferences: preferencesOf(decisionsOf(profile), offered) }
}

function reachedOver({ email, phone, closed_contacts }: ProfileRow, hasPushToken: boolean): ChannelType[] {
  const stored = closed_contacts as { [channel in 'email' | 'sms' | 'whatsapp']?: { contact: string } }
  const closed = Object.fromEntries(Object.entries(stored).map(([channel, { contact }]) => [channel, contact]))
  return CHANNEL_TYPES.filter((channel) => Boolean(contactOf(channel, { email, phone, hasPushToken, closed })))
}

/** A-16: whoever is being erased is nobody any more. */
async function isErased(db: Db, profile: ProfileRow): Promise<boolean> {
  const { workspace_id: workspaceId, environment } = profile
  const subject = subjectOfPerson(await findSubjectSalt(db, workspaceId), profile)
  return (await listErased(db, workspaceId, environment, [subject])).size > 0
}

/** Counts a change before it is made. False: there were too many within an hour. */
export async function mayChange({ kv, clock }: Pick<Context, 'kv' | 'clock'>, { workspaceId, profileId }: Owner): Promise<boolean> {
  const key = `preferences:${hashSecret(`${workspaceId} ${profileId}`)}`
  return (await kv.take(key, 1, LIMITS.preferenceChangesPerHour, HOUR_MS / 1_000, clock.ms())).granted === 1
}

/** A change of one person, who is held until it ends. */
export type OwnChange = PeopleChange & { page: OwnPage }

/** `work` runs for the person as they are now. Undefined: nobody. Whoever calls it has taken a turn among the writes of applications, as each request of an app has. */
export async function changeOwn<T>(
  ctx: Context,
  { workspaceId, profileId }: Owner,
  work: (change: OwnChange) => Promise<T>,
): Promise<T | undefined> {
  return changePeople(ctx, { workspaceId, actor: PREFERENCES, isBrief: true }, async (change) => {
    const profile = await lockNamed(change.tx, workspaceId, profileId)
    if (!profile || (await isErased(change.tx, profile))) return undefined
    return work({ ...change, page: await ownPage(change.tx, profile) })
  })
}

/** The same for the page, which is opened without a key: it takes its turn here. */
export async function changeByLink<T>(ctx: Context, owner: Owner, work: (change: OwnChange) => Promise<T>): Promise<T | undefined> {
  const { workspaceId, profileId } = owner
  return ctx.limiters.clientWrites(workspaceId, aboutPerson({ profileId }), () => changeOwn(ctx, owner, work))
}

const PREFERENCES = 'preferences'

/** What the person was shown: a hash of its words, and their language. */
export type Shown = Pick<ConsentOrigin, 'textHash' | 'locale'>

/** Whether anything is another now. */
export async function savePreferences(change: OwnChange, chosen: Preferences, shown: Shown, by = PREFERENCES): Promise<boolean> {
  const before = decisionsOf(change.page.profile)
  return write(change, before, decidePreferences(before, change.page.offered, chosen), shown, by)
}

/** Withdraws all that leaves; again and again it stays so. */
export async function leave(change: OwnChange, shown: Shown): Promise<boolean> {
  const before = decisionsOf(change.page.profile)
  return write(change, before, leaveAll(before), shown, PREFERENCES)
}

async function write(
  { tx, workspaceId, now, changed, page: { profile } }: OwnChange,
  before: Decisions,
  after: Decisions,
  shown: Shown,
  keyId: string,
): Promise<boolean> {
  const changes = decisionChanges(before, after)
  if (changes.length === 0) return false
  await patchProfile(tx, workspaceId, profile.id, {
    ...decisionColumns(after),
    saved_channels: after.saved && JSON.stringify(after.saved),
    max_messages_a_week: after.maxMessagesAWeek ?? null,
    updated_at: now,
  })
  const subject = subjectOfPerson(await findSubjectSalt(tx, workspaceId), profile)
  const { environment } = profile
  await appendLedger(tx, { workspaceId, environment }, [{ subject, changes }], { source: PREFERENCES, keyId, ...shown })
  changed(profile.id)
  return true
}
