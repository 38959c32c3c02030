/** The library of mails: keeping, changing, archiving and bringing back mails and parts. */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { readLibraryMail, type MailKind } from '@contentflow/core/mail/library/read-part.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { linksOfMail } from '@contentflow/core/messages/links.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Actor, Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { refuseLinks } from '../links/index.ts'
import { bytesOf, reserveQuota } from '../quota/index.ts'
import { refuseUnknownParts } from './parts.ts'
import * as queries from './queries-library.ts'
import type { LibraryMail } from './queries-library.ts'

type New = { kind: MailKind; name: string; category?: string | null; document: unknown }
type Changed = { name?: string; category?: string | null; document?: unknown }

/** `id`: of a document that names it. */
export async function createMail(ctx: Context, by: Actor, sent: New): Promise<LibraryMail> {
  return ctx.change(by, async (change) => {
    await queries.lockLibrary(change.tx, change.workspaceId)
    return insertNew(change, uuidv7(change.now.getTime()), sent)
  })
}

/** Of a library that is held. */
export async function insertNew(change: Change, id: string, { kind, name, category = null, document }: New): Promise<LibraryMail> {
  const { tx, workspaceId, now, actor } = change
  const all = await queries.listMails(tx, workspaceId)
  if (all.length >= LIMITS.mailsPerWorkspace) fail('MAIL_LIMIT')
  const mail: LibraryMail = {
    id,
    kind,
    name: readName(name),
    category: readCategory(category),
    document: readDocument(kind, document),
    version: 1,
    createdBy: actor,
    createdAt: now,
    updatedBy: actor,
    updatedAt: now,
    archivedAt: null,
  }
  refuseTakenName(all, mail)
  await refuseUnfit(change, mail)
  await queries.insertMail(tx, workspaceId, mail)
  await queries.insertRevision(tx, workspaceId, mail, LIMITS.mailRevisions)
  change.audited('mail', id, undefined, mail)
  return mail
}

/** Members left out stay. With `expectedVersion` a change on top of somebody else's is refused. */
export async function changeMail(ctx: Context, by: Actor, id: string, changed: Changed, expectedVersion?: number): Promise<LibraryMail> {
  return ctx.change(by, async (change) => {
    const stored = await hold(change, id, expectedVersion)
    if (stored.archivedAt) fail('MAIL_ARCHIVED')
    return storeChanged(change, stored, changed)
  })
}

/** Of a library that is held. */
export async function storeChanged(change: Change, stored: LibraryMail, changed: Changed): Promise<LibraryMail> {
  const { tx, workspaceId } = change
  const next = stamped(change, {
    ...stored,
    name: changed.name === undefined ? stored.name : readName(changed.name),
    category: changed.category === undefined ? stored.category : readCategory(changed.category),
    document: changed.document === undefined ? stored.document : readDocument(stored.kind, changed.document),
  })
  refuseTakenName(await queries.listMails(tx, workspaceId), next)
  if (changed.document !== undefined) await refuseUnfit(change, next, stored.document)
  await queries.updateMail(tx, workspaceId, next)
  change.audited('mail', next.id, stored, next)
  const isOther = canonicalJson(next.document) !== canonicalJson(stored.document)
  if (isOther) await queries.insertRevision(tx, workspaceId, next, LIMITS.mailRevisions)
  return next
}

/** Nobody begins a mail with it any more; what was submitted with it keeps what it says. */
export async function archiveMail(ctx: Context, by: Actor, id: string, expectedVersion?: number): Promise<void> {
  await ctx.change(by, async (change) => {
    const stored = await hold(change, id, expectedVersion)
    if (!stored.archivedAt) await storeArchived(change, stored)
  })
}

/** Of a library that is held. */
export async function storeArchived(change: Change, stored: LibraryMail): Promise<void> {
  await queries.updateMail(change.tx, change.workspaceId, stamped(change, { ...stored, archivedAt: change.now }))
}

/** Refused while another has its name. */
export async function restoreMail(ctx: Context, by: Actor, id: string, expectedVersion?: number): Promise<LibraryMail> {
  return ctx.change(by, async (change) => {
    const stored = await hold(change, id, expectedVersion)
    if (!stored.archivedAt) return stored
    const next = stamped(change, { ...stored, archivedAt: null })
    refuseTakenName(await queries.listMails(change.tx, change.workspaceId), next)
    await queries.updateMail(change.tx, change.workspaceId, next)
    return next
  })
}

async function hold({ tx, workspaceId }: Change, id: string, expectedVersion: number | undefined): Promise<LibraryMail> {
  await queries.lockLibrary(tx, workspaceId)
  const stored = (await queries.findMail(tx, workspaceId, id)) ?? failWith(404, 'mail not found')
  if (expectedVersion !== undefined && stored.version !== expectedVersion) fail('VERSION_CHANGED')
  return stored
}

function stamped({ actor, now }: Change, mail: LibraryMail): LibraryMail {
  return { ...mail, version: mail.version + 1, updatedBy: actor, updatedAt: now }
}

function refuseTakenName(all: readonly queries.ListedMail[], { id, kind, name }: LibraryMail): void {
  const isTaken = all.some(
    (other) => other.id !== id && other.kind === kind && !other.archivedAt && other.name.toLowerCase() === name.toLowerCase(),
  )
  if (isTaken) fail('MAIL_NAME_TAKEN')
}

/** Parts that there are none of, links that the workspace does not take, and what there is no room for. `before`: what it said. */
async function refuseUnfit(change: Change, { document }: LibraryMail, before?: MailDocument): Promise<void> {
  await refuseUnknownParts(change.tx, change.workspaceId, 'document', document, before)
  await refuseLinks(change, linksOfMail('document', document), linksOfMail('document', before))
  reserveQuota(change, bytesOf(document))
}

function readDocument(kind: MailKind, document: unknown): MailDocument {
  const read = readLibraryMail('document', kind, document)
  return read.ok ? read.value : failWith(400, read.error)
}

function readName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > LIMITS.mailNameLength)
    return failWith(400, `name must be a text of 1 to ${LIMITS.mailNameLength} characters`)
  return trimmed
}

function readCategory(category: string | null): string | null {
  const trimmed = (category ?? '').trim()
  if (trimmed.length > LIMITS.mailCategoryLength)
    return failWith(400, `category must be a text of at most ${LIMITS.mailCategoryLength} characters`)
  return trimmed || null
}
