import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DEFAULT_NAMESPACE } from '@contentflow/core/strings/plan-sync.ts'
import { keyFault, rowFault } from '@contentflow/core/strings/read-rows.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { permitTexts, sourceOf } from '../permit-texts.ts'
import { changeCatalog, takeTextRoom, touchCatalog } from '../change-catalog.ts'
import { keepHistory, SOURCE } from '../history/keep-history.ts'
import { findChange } from '../history/queries-history.ts'
import { expectText } from '../history/text-tag.ts'
import { findStored, sendToReview, writePlan } from '../queries.ts'
import { updateString, type StringChange } from './queries-list.ts'
import { requireRoom } from '../pipeline/sync-strings.ts'

/** Adds one string by hand. */
export async function createString(ctx: Context, by: Actor, body: unknown): Promise<string> {
  const { key, sourceText, namespace, description } = readMembers(body)
  if (typeof key !== 'string') failWith(400, 'key must be a string')
  const fault = keyFault(key)
  if (fault) failWith(400, fault)
  if (sourceText === undefined) failWith(400, 'sourceText must be a string that is not empty')
  const insert = { key, sourceText, namespace: namespace ?? DEFAULT_NAMESPACE, description: description ?? '' }
  return changeCatalog(ctx, by, async (change, catalog) => {
    const { tx, workspaceId, now } = change
    if ((await findStored(tx, workspaceId, [key], [])).size > 0) fail('STRING_EXISTS')
    await permitTexts(change, { locales: [sourceOf(catalog)], namespaces: [insert.namespace] })
    takeTextRoom(change, { strings: [insert] })
    await writePlan(tx, workspaceId, { inserts: [insert], updates: [], translations: [], toReview: [] }, catalog.next, now)
    await requireRoom(change)
    touchCatalog(change)
    change.audited('string', key, undefined, insert)
    return key
  })
}

/** Members left out stay. With another source text every translation goes to review (C-STR-39). */
export async function changeString(ctx: Context, { key, ifMatch, ...of }: SourceTarget, body: unknown): Promise<void> {
  await changeCatalog(ctx, of, async (change, { next, sourceLocale }) => {
    const { tx, workspaceId, now } = change
    const stored = (await findStored(tx, workspaceId, [key], [])).get(key) ?? fail('UNKNOWN_STRING')
    const { sourceText, namespace, description, hidden } = readMembers(body)
    const changed: StringChange = {
      ...(sourceText !== undefined && { source_text: sourceText }),
      ...(namespace !== undefined && { namespace }),
      ...(description !== undefined && { description }),
      ...(hidden !== undefined && { is_hidden: hidden }),
    }
    expectText(ifMatch, stored.sourceText)
    if (Object.keys(changed).length === 0) return
    const namespaces = namespace === undefined ? [] : [namespace]
    await permitTexts(change, { locales: [sourceOf({ sourceLocale })], keys: [key], namespaces })
    if (sourceText !== undefined && sourceText !== stored.sourceText) {
      await sendToReview(tx, workspaceId, [key], now)
      await keepHistory(change, next, [{ key, locale: SOURCE, before: stored.sourceText, after: sourceText }])
    }
    takeTextRoom(change, { strings: [{ key, sourceText: sourceText ?? '', description: description ?? '' }] })
    await updateString(tx, workspaceId, key, changed, { revision: next, now })
    touchCatalog(change, { reaches: sourceText !== undefined || hidden !== undefined || namespace !== undefined })
  })
}

/** Restores the source text from before a change. */
export async function restoreSource(ctx: Context, target: SourceTarget, readNumber: () => number): Promise<void> {
  const { key, workspaceId } = target
  if ((await findStored(ctx.db, workspaceId, [key], [])).size === 0) fail('UNKNOWN_STRING')
  const change = { key, locale: SOURCE, number: readNumber() }
  const { from } = (await findChange(ctx.db, workspaceId, change)) ?? failWith(404, 'no such change of this text')
  await changeString(ctx, target, { sourceText: from })
}

/** Finds a string; `ifMatch` may name the version of its source text that was read. */
export type SourceTarget = Actor & { key: string; ifMatch?: string | undefined }

type Members = { key: unknown; sourceText?: string; namespace?: string; description?: string; hidden?: boolean }

function readMembers(body: unknown): Members {
  if (!isPlainObject(body)) failWith(400, 'The body must be a JSON object')
  const { key, hidden } = body
  const members: Members = { key }
  for (const name of ['sourceText', 'namespace', 'description'] as const) {
    const text = body[name]
    if (text === undefined) continue
    if (typeof text !== 'string' || (text === '' && name !== 'description'))
      failWith(400, `${name} must be a string${name === 'description' ? '' : ' that is not empty'}`)
    members[name] = text
  }
  if (hidden !== undefined && typeof hidden !== 'boolean') failWith(400, 'hidden must be a boolean')
  if (hidden !== undefined) members.hidden = hidden
  const { sourceText, namespace, description } = members
  const fault = rowFault({
    ...(sourceText !== undefined && { sourceText }),
    ...(namespace !== undefined && { namespace }),
    ...(description !== undefined && { description }),
  })
  return fault === undefined ? members : failWith(400, fault)
}

/** A text of a translation: not empty, because an empty one would be delivered as a text. */
export function readText(text: unknown): string {
  if (typeof text !== 'string' || text === '') failWith(400, 'text must be a string that is not empty')
  const fault = rowFault({ values: new Map([['text', text]]) })
  return fault === undefined ? text : failWith(400, `text must have at most ${LIMITS.stringTextLength} characters`)
}
