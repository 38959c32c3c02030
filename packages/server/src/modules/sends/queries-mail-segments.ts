/** Who is in the segments that sections of a mail are for, as memberships are stored now. */
import { sql } from 'kysely'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { segmentsOfMail } from '@contentflow/core/mail/shown-to.ts'
import type { Recipient } from '@contentflow/core/messages/judge.ts'
import type { Db } from '../../db/open.ts'

/** The people with the names by which the mail asks for their segments; one segment may have several, as it may have been called before. */
export async function withSegments<R extends Recipient>(
  db: Db,
  workspaceId: string,
  mail: MailDocument | null | undefined,
  recipients: readonly R[],
): Promise<R[]> {
  const names = segmentsOfMail(mail)
  if (names.length === 0 || recipients.length === 0) return [...recipients]
  const ids = recipients.map(({ id }) => id)
  const { rows } = await sql<{ id: string; names: string[] }>`
    with asked as materialized (
      select s.id, n.name from segments s, unnest(${names}::text[]) as n (name)
      where s.workspace_id = ${workspaceId} and (s.name = n.name or n.name = any(s.former_names)))
    select m.profile_id as id, array_agg(distinct asked.name) as names
    from segment_members m join asked on asked.id = m.segment_id
    where m.workspace_id = ${workspaceId} and m.profile_id = any(${ids}::text[]) and m.segment_id in (select id from asked) and m.is_member
    group by m.profile_id`.execute(db)
  const found = new Map(rows.map((row) => [row.id, new Set(row.names)]))
  return recipients.map((recipient) => ({ ...recipient, segments: found.get(recipient.id) ?? new Set<string>() }))
}
