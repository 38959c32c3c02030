/** Saved parts that mails hold by their ids. */
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { partsOf } from '@contentflow/core/mail/library/read-part.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import { fillProducts } from '../content/index.ts'
import { fillFromCatalog } from '../strings/index.ts'
import { listWholeMails, type LibraryMail } from './queries-library.ts'

/**
 * Refuses with 400 a mail that names a part that there is none of, or one that is archived, unless it named it before.
 * `at`: the member of the body that holds the mail.
 */
export async function refuseUnknownParts(
  db: Db,
  workspaceId: string,
  at: string,
  mail: MailDocument | undefined,
  before?: MailDocument,
): Promise<void> {
  const named = mail ? partsOf(mail) : []
  const kept = new Set(before ? partsOf(before).map(({ part }) => part) : [])
  const parts = await findParts(
    db,
    workspaceId,
    named.map(({ part }) => part),
  )
  for (const { at: number, part } of named) {
    const found = parts.get(part)
    if (!found && !kept.has(part)) failWith(400, `${at}.sections[${number}].part is no saved part of this workspace`)
    if (found?.archivedAt && !kept.has(part)) failWith(400, `${at}.sections[${number}].part is archived: restore it, or take another one`)
  }
}

/** Parts by their ids, those that are archived included. */
async function findParts(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, LibraryMail>> {
  const found = await listWholeMails(db, workspaceId, [...new Set(ids)])
  return new Map(found.flatMap((mail) => (mail.kind === 'part' ? [[mail.id, mail] as const] : [])))
}

/** Parts as they are now, with what catalog and content say, but for `kept`, which stay as they were. Those that there are none of, or that are archived, are left out. */
export async function freezeParts(
  db: Db,
  workspaceId: string,
  mail: MailDocument,
  kept: readonly FrozenPart[] = [],
): Promise<FrozenPart[]> {
  const ids = [...new Set(partsOf(mail).map(({ part }) => part))]
  const frozen = new Map(kept.map((part) => [part.id, part]))
  const found = await findParts(
    db,
    workspaceId,
    ids.filter((id) => !frozen.has(id)),
  )
  const taken = [...found.values()].filter(({ archivedAt }) => !archivedAt)
  const documents = taken.map(({ document }) => document)
  const filled = await fillProducts(db, workspaceId, await fillFromCatalog(db, workspaceId, documents))
  for (const [index, { id, name, version, document }] of taken.entries())
    frozen.set(id, { id, name, version, document: filled[index] ?? document })
  return ids.flatMap((id) => frozen.get(id) ?? [])
}
