import { consentChanges, decideChannels, type ConsentChange } from '@contentflow/core/identity/consent/consent.ts'
import { readContacts, type Contact, type ContactError, type Platform } from '@contentflow/core/identity/contacts.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { DEFAULT_PUSH_PROVIDER, type PushProvider } from '@contentflow/core/push/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { hashSecret, uuidv7 } from '../../infra/secrets/crypto.ts'
import {
  appendLedger,
  countCustomers,
  findOwnEnvironment,
  findSubjectSalt,
  hashSubject,
  insertUsers,
  listErased,
  lockCustomerLimit,
  lockUsers,
  parsePhone,
  refusesPlaceholderIds,
  updateUsers,
  writePeople,
  type ChannelRow,
  type UserWrite,
} from '../people/index.ts'
import { reevaluateProfiles } from '../segments/index.ts'
import { saveTokens, type TokenWrite } from './queries.ts'

export type LoadReport = {
  received: number
  processed: number
  created: number
  updated: number
  errorCount: number
  errors: ContactError[]
  /** Left out when there are none. */
  mendedEmails?: number
}
type Load = { workspaceId: string; accountId: string; defaultCountry: string | undefined; rows: readonly Json[] }

/** M-BULK-11. */
const ERRORS_SHOWN = 50
const ERASED = 'this person was erased; only their own consent starts a new profile'
/** People whose segments are right when a load is answered. */
const AWAITED = 500
/** Loads of more people that are followed up behind their answers, in one process. */
const BEHIND = 2

/**
 * M-BULK-01 to M-BULK-16: one transaction of a handful of statements, however many rows. Undefined: the plan has no
 * room for the new people, and nothing was stored (M-BULK-14, A-58).
 */
export async function loadContacts(ctx: Context, { workspaceId, accountId, defaultCountry, rows }: Load): Promise<LoadReport | undefined> {
  const refusePlaceholderIds = await refusesPlaceholderIds(ctx.db, workspaceId)
  const { contacts, errors, mendedEmails } = readContacts(rows, { defaultCountry, parsePhone, refusePlaceholderIds })
  const written = await writeContacts(ctx, { workspaceId, accountId, defaultCountry }, contacts)
  if (!written) return undefined
  await followUp(ctx, workspaceId, written.ids)
  const { processed, created, refused } = written
  const shown = [...errors, ...refused].sort((a, b) => a.index - b.index).slice(0, ERRORS_SHOWN)
  const errorCount = errors.length + refused.length
  return {
    received: rows.length,
    processed,
    created,
    updated: processed - created,
    errorCount,
    errors: shown,
    ...(mendedEmails > 0 && { mendedEmails }),
  }
}

type Written = { processed: number; created: number; ids: string[]; refused: ContactError[] }

async function writeContacts(
  ctx: Context,
  { workspaceId, accountId, defaultCountry }: Omit<Load, 'rows'>,
  contacts: readonly Contact[],
): Promise<Written | undefined> {
  return writePeople(ctx, { workspaceId, actor: accountId }, async ({ tx, now }) => {
    // Before the people are read: of two loads that name one new person the second finds the person made.
    const limit = await lockCustomerLimit(tx, workspaceId)
    const salt = await findSubjectSalt(tx, workspaceId)
    const environment = await findOwnEnvironment(tx, workspaceId)
    const subjects = new Map(contacts.map(({ userId }) => [userId, hashSubject(salt, 'user', userId)]))
    const known = await lockUsers(tx, workspaceId, environment, [...subjects.keys()])
    // Under the locks: an erasure that this does not see waits for them, and erases what is written here.
    const erased = await listErased(tx, workspaceId, environment, [...subjects.values()])
    const isErased = ({ userId }: Contact) => erased.has(subjects.get(userId) ?? '')
    const welcome = contacts.filter((contact) => !isErased(contact))
    const refused = contacts.filter(isErased).map(({ index, userId }) => ({ index, userId, field: 'userId', error: ERASED }))
    const people = planPeople(known, welcome, defaultCountry, now)
    // G-68: test people are no customers.
    const isLimited = limit !== null && environment === 'live' && people.made.length > 0
    if (isLimited && (await countCustomers(tx, workspaceId)) + people.made.length > limit) return undefined
    await insertUsers(tx, workspaceId, environment, people.made, now)
    await updateUsers(tx, workspaceId, people.changed, now)
    await saveTokens(tx, { workspaceId, environment }, people.tokens, now, new Date(now.getTime() + LIMITS.deviceRecordHours * HOUR_MS))
    const decided = people.decided.map(({ userId, changes }) => ({ subject: subjects.get(userId) ?? '', changes }))
    await appendLedger(tx, { workspaceId, environment }, decided, { source: 'bulk', keyId: accountId })
    const ids = [...people.made, ...people.changed].map(({ id }) => id)
    return { processed: welcome.length, created: people.made.length, ids, refused }
  })
}

/**
 * M-BULK-16: the people's segments. For many people this goes on behind the answer, unless a few loads are being
 * followed up already: then this one waits, so that no more pile up than are worked off.
 */
async function followUp(ctx: Context, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length <= AWAITED || ctx.due.countBehind() >= BEHIND) return reevaluateProfiles(ctx, workspaceId, ids)
  ctx.due.behind(
    reevaluateProfiles(ctx, workspaceId, ids).catch((error: unknown) => {
      ctx.log.error({ err: error, workspaceId }, 'segments of loaded people could not be worked out')
    }),
  )
}

/** The rows of each person laid over each other in their order, over what is stored. */
function planPeople(stored: readonly ChannelRow[], contacts: readonly Contact[], defaultCountry: string | undefined, now: Date) {
  const known = new Map(stored.map((row) => [row.userId, row]))
  const writes = new Map<string, UserWrite>()
  const tokens = new Map<string, TokenWrite>()
  for (const contact of contacts) {
    const stored = known.get(contact.userId)
    const before = writes.get(contact.userId) ?? {
      id: stored?.id ?? uuidv7(now.getTime()),
      userId: contact.userId,
      email: null,
      phone: null,
      country: null,
      platform: null,
      channels: stored?.channels ?? {},
      saved: stored?.saved ?? null,
    }
    const decided = decideChannels(before, contact.channels)
    const write = {
      ...before,
      email: contact.email ?? before.email,
      phone: contact.phone ?? before.phone,
      country: contact.country ?? before.country,
      platform: contact.platform ?? before.platform,
      ...decided,
    }
    writes.set(contact.userId, write)
    if (contact.token !== undefined && contact.platform)
      tokens.set(contact.token, tokenOf(contact.token, { ...contact, platform: contact.platform }, write.id))
  }
  const all = [...writes.values()]
  const isKnown = ({ userId }: UserWrite) => known.has(userId)
  return {
    made: all.filter((write) => !isKnown(write)).map((write) => ({ ...write, country: write.country ?? defaultCountry ?? null })),
    changed: all.filter(isKnown),
    tokens: [...tokens.values()],
    decided: all.map((write) => ({ userId: write.userId, changes: changesOf(write, known.get(write.userId)) })),
  }
}

type TokenKind = { platform: Platform; provider?: PushProvider }

/** A token loaded for a person names an installation nobody has seen yet; it gets an id made of the token. */
function tokenOf(token: string, { platform, provider }: TokenKind, profileId: string): TokenWrite {
  const hash = hashSecret(token)
  const of = { device_id: `bulk_${hash.slice(0, 32)}`, profile_id: profileId, token, token_hash: hash, platform }
  return { ...of, provider: provider ?? DEFAULT_PUSH_PROVIDER[platform], isNamed: provider !== undefined }
}

function changesOf(write: UserWrite, stored: ChannelRow | undefined): ConsentChange[] {
  const before = { channels: stored?.channels ?? {}, saved: stored?.saved ?? null }
  return consentChanges(before, write)
}
