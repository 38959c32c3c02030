/** People as messages are judged and written for them. */
import { sql, type RawBuilder } from 'kysely'
import type { Channels } from '@contentflow/core/identity/consent/consent.ts'
import type { Recipient } from '@contentflow/core/messages/judge.ts'
import { TRACKING_TOPIC } from '@contentflow/core/messages/responses/tracking.ts'
import type { Db } from '../../db/open.ts'

export type RecipientRow = {
  id: string
  user_id: string | null
  name: string | null
  email: string | null
  phone: string | null
  traits: Recipient['customAttributes']
  enrichment: Recipient['enrichment']
  channels: Channels
  topics: Recipient['topics']
  personal_opt_out: boolean
  locale: string | null
  closed: Recipient['closed']
  isFirstMail: boolean
  isMailUnconfirmed: boolean
  tracking: boolean | null
  whatsappUntil: number | null
}

/** Of `p`, a profile. */
export const recipientOf = (
  workspaceId: string,
) => sql`p.id, p.user_id, p.name, p.email, p.phone, p.traits, p.enrichment, p.channels, p.consent_topics as topics, p.personal_opt_out, p.locale,
  jsonb_build_object('email', p.closed_contacts #> '{email,contact}', 'sms', p.closed_contacts #> '{sms,contact}',
    'whatsapp', p.closed_contacts #> '{whatsapp,contact}') as closed,
  (p.app_email ->> 'contact' = p.email and p.app_email -> 'reached' is null) is true as "isFirstMail", ${isUnconfirmed(workspaceId)} as "isMailUnconfirmed",
  p.consent_topics -> ${sql.lit(TRACKING_TOPIC)} = 'true'::jsonb as tracking,
  case when (select whatsapp_heard_at from workspaces where id = ${workspaceId}) is not null
    then coalesce(extract(epoch from p.whatsapp_until) * 1000, 0)::float8 end as "whatsappUntil"`

/** Of `p`: an address that only an app named, and nobody said there that mail is wanted, where that is asked for (`confirmEmails`). */
export function isUnconfirmed(workspaceId: string): RawBuilder<boolean> {
  return sql`(coalesce(p.app_email ->> 'contact' = p.email, false)
    and (select protections -> 'confirmEmails' = 'true'::jsonb from workspaces where id = ${workspaceId})
    and not exists (select from email_confirmations c
      where c.workspace_id = ${workspaceId} and c.email_hash = p.email_hash and c.confirmed_at is not null)) is true`
}

export function toRecipient(row: RecipientRow, hasPushToken: boolean): Recipient {
  const {
    id,
    user_id,
    name,
    email,
    phone,
    traits,
    enrichment,
    channels,
    topics,
    personal_opt_out,
    locale,
    closed,
    isFirstMail,
    isMailUnconfirmed,
    tracking,
    whatsappUntil,
  } = row
  return {
    id,
    userId: user_id,
    name,
    email,
    phone,
    customAttributes: traits,
    enrichment,
    channels,
    topics,
    personalOptOut: personal_opt_out,
    locale,
    closed,
    isFirstMail,
    isMailUnconfirmed,
    tracking,
    whatsappUntil,
    hasPushToken,
  }
}

export async function findRecipient(db: Db, workspaceId: string, profileId: string): Promise<Recipient | undefined> {
  const { rows } = await sql<RecipientRow>`
    select ${recipientOf(workspaceId)} from profiles p where p.workspace_id = ${workspaceId} and p.id = ${profileId}`.execute(db)
  return rows[0] && toRecipient(rows[0], false)
}
