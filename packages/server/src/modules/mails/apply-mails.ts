/** The library of mails as a document of the workspace holds it. */
import type { MailCode } from '@contentflow/core/as-code/mail-code.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { insertNew, storeArchived, storeChanged } from './library.ts'
import { findMail, listMails, listWholeMails, lockLibrary } from './queries-library.ts'

/** Without what is archived, also where mails still hold it. */
export async function listMailCode(db: Db, workspaceId: string): Promise<MailCode[]> {
  const active = (await listMails(db, workspaceId)).filter(({ archivedAt }) => !archivedAt)
  const whole = await listWholeMails(
    db,
    workspaceId,
    active.map(({ id }) => id),
  )
  const parts = new Set(whole.flatMap(({ id, kind }) => (kind === 'part' ? [id] : [])))
  return whole.map(({ id, kind, name, category, document }) => {
    const sections = document.sections.filter((section) => section.type !== 'part' || parts.has(section.part))
    return { id, kind, name, category, document: { ...document, sections } }
  })
}

/** Makes, changes and archives mails by their ids; what was archived comes back. Parts come before the mails that hold them. */
export async function applyMails(
  change: Change,
  { written, deleted }: { written: readonly MailCode[]; deleted: readonly string[] },
): Promise<void> {
  if (written.length + deleted.length === 0) return
  const { tx, workspaceId } = change
  await lockLibrary(tx, workspaceId)
  for (const id of deleted) {
    const gone = await findMail(tx, workspaceId, id)
    if (gone && !gone.archivedAt) await storeArchived(change, gone)
  }
  const ordered = [...written.filter(({ kind }) => kind === 'part'), ...written.filter(({ kind }) => kind !== 'part')]
  for (const { id, ...mail } of ordered) {
    const before = await findMail(tx, workspaceId, id)
    if (!before) await insertNew(change, id, mail)
    else if (before.kind === mail.kind) await storeChanged(change, { ...before, archivedAt: null }, mail)
    else failWith(400, `document: mails: ${JSON.stringify(id)} is a ${before.kind} here, and stays one`)
  }
}
