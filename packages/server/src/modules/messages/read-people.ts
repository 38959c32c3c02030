/** What delivery asks of the people behind installations: what they are in, and the messages that wait for them (G-33). */
import { tokensOf, type TokenValues } from '@contentflow/core/messages/tokens.ts'
import type { PersonView } from '@contentflow/core/messages/waiting.ts'
import type { Context } from '../../context.ts'
import { listAgreed } from '../people/index.ts'
import * as queries from './queries.ts'

/**
 * By id of their profile. A campaign's message is written here, when its person comes: so it can be ended, and nobody gets
 * it twice. So is, of a campaign that leaves some out, that they came. The revisions are read first, so what is told is at least as new as they say.
 */
export async function readPeople(ctx: Context, workspaceId: string, profileIds: readonly string[]): Promise<Map<string, PersonView>> {
  const { db, clock } = ctx
  const now = clock.now()
  const audience = await queries.findAudience(db, workspaceId, now)
  const { live, test, hasCampaigns, hasMessages, tokens } = audience
  const nobody: PersonView = { revisions: { live, test }, memberOf: [], values: undefined, messages: [] }
  if (!hasCampaigns && !hasMessages) return new Map(profileIds.map((id) => [id, nobody]))
  if (audience.hasControl) await queries.noteCampaignPeople(db, workspaceId, profileIds, now)
  if (audience.hasInApp) await writeCampaignMessages(ctx, workspaceId, profileIds, { now, isOld: audience.hasOldInApp })
  const rows = await queries.listPeople(db, workspaceId, profileIds, now)
  const asked = new Map(
    rows.map(({ id, messages }) => [id, new Set([...tokens, ...messages.flatMap(({ content }) => tokensOf(content ?? {}))])]),
  )
  const asking = [...asked].filter(([, names]) => names.size > 0).map(([id]) => id)
  const values = asking.length === 0 ? [] : await queries.listValues(db, workspaceId, asking)
  const byId = new Map(values.map(({ id, ...known }) => [id, only(known, asked.get(id) ?? new Set())]))
  return new Map(rows.map(({ id, memberOf, messages }) => [id, { ...nobody, memberOf, messages, values: byId.get(id) }]))
}

/** Writes the messages of campaigns that these people have not got yet; whose inbox has a new one, of those the devices are told. */
export async function writeCampaignMessages(
  { db, signals }: Context,
  workspaceId: string,
  profileIds: readonly string[],
  { now, isOld }: { now: Date; isOld: boolean },
): Promise<void> {
  const agreed = isOld ? await listAgreed(db, workspaceId, profileIds, 'inApp') : undefined
  const people = profileIds.map((id) => ({ id, agreedAt: agreed?.get(id) ?? null }))
  const { withNewInbox } = await queries.insertCampaignMessages(db, workspaceId, people, now)
  if (withNewInbox.length === 0) return
  const deviceIds = await queries.listDevicesOf(db, workspaceId, withNewInbox)
  await Promise.all(deviceIds.map((deviceId) => signals.announce({ kind: 'inbox', workspaceId, deviceId })))
}

/** Held for as long as the view is: nothing that nobody says. */
function only({ name, email, phone, userId, customAttributes, enrichment }: TokenValues, tokens: ReadonlySet<string>): TokenValues {
  const named = (kind: string, all: TokenValues['enrichment']) =>
    Object.fromEntries(Object.entries(all).filter(([each]) => tokens.has(`${kind}.${each}`)))
  return {
    name,
    email,
    phone,
    userId,
    customAttributes: named('customAttributes', customAttributes),
    enrichment: named('enrichment', enrichment),
  }
}
