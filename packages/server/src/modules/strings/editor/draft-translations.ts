import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { nextTranslationStatus, type StoredTranslationStatus } from '@contentflow/core/strings/status.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { changeCatalog, type LockedCatalog } from '../change-catalog.ts'
import { translationMemory, type DraftingService, type Proposal } from './draft-memory.ts'
import { findTarget, translatedLocale, writeTranslations, type Target } from './edit-translations.ts'
import { findStored } from '../queries.ts'
import { listMissing, type MemoryQuery } from './queries-memory.ts'

const service: DraftingService = translationMemory

export type Drafted = { key: string; locale: string; text: string; status: StoredTranslationStatus; draft: Proposal['draft'] }

/** The draft replaces whatever is stored and waits for review (C-STR-41). */
export async function draftTranslation(ctx: Context, { key, locale, ...of }: Target): Promise<Drafted> {
  return changeCatalog(ctx, of, async (change, catalog) => {
    const { stored, code } = await findTarget(change, catalog, { key, locale })
    const [drafted] = await writeDrafts(change, catalog, code, [{ key, sourceText: stored.sourceText }])
    return drafted ?? fail('UNKNOWN_STRING')
  })
}

export type DraftedMany = {
  drafted: Drafted[]
  /** Named keys that have a translation. */
  alreadyTranslated: string[]
  unknown: string[]
  /** Visible strings that still lack one in this locale. */
  missing: number
}

/** Drafts missing translations in one locale: of the named keys, or of the first strings that lack one. Existing ones stay. */
export async function draftMany(ctx: Context, by: Actor, body: unknown): Promise<DraftedMany> {
  const { locale, keys } = readBody(body)
  return changeCatalog(ctx, by, async (change, catalog) => {
    const { tx, workspaceId } = change
    const code = translatedLocale(catalog, locale)
    const { keys: first } = await listMissing(tx, workspaceId, code, LIMITS.stringsPerDraft)
    const named = keys ?? first
    const stored = await findStored(tx, workspaceId, named, [code])
    const isTranslated = (key: string) => stored.get(key)?.translations.has(code) === true
    const asked = named.flatMap((key): MemoryQuery[] => {
      const string = stored.get(key)
      return string && !isTranslated(key) ? [{ key, sourceText: string.sourceText }] : []
    })
    const drafted = await writeDrafts(change, catalog, code, asked)
    return {
      drafted,
      alreadyTranslated: named.filter(isTranslated),
      unknown: named.filter((key) => !stored.has(key)),
      missing: (await listMissing(tx, workspaceId, code, 0)).total,
    }
  })
}

async function writeDrafts(change: Change, catalog: LockedCatalog, locale: string, asked: readonly MemoryQuery[]): Promise<Drafted[]> {
  if (asked.length === 0) return []
  const proposals = await service.propose(change.tx, change.workspaceId, locale, asked)
  const drafted = [...proposals].map(([key, { text, draft }]) => ({
    key,
    locale,
    text,
    status: nextTranslationStatus('missing', 'save'),
    draft,
  }))
  await writeTranslations(
    change,
    catalog,
    drafted.map(({ key, text, status }) => ({ key, locale, text, status, isDraft: true })),
  )
  return drafted
}

function readBody(body: unknown): { locale: string; keys: string[] | undefined } {
  const { locale, keys } = isPlainObject(body) ? body : failWith(400, 'The body must be a JSON object')
  if (typeof locale !== 'string') failWith(400, 'locale must be a locale code')
  if (keys === undefined) return { locale, keys: undefined }
  const isRight = Array.isArray(keys) && keys.length > 0 && keys.length <= LIMITS.stringsPerDraft
  if (!isRight || !keys.every((key): key is string => typeof key === 'string'))
    return failWith(400, `keys must be an array of 1 to ${LIMITS.stringsPerDraft} string keys; leave it out for everything that is missing`)
  return { locale, keys: [...new Set(keys)] }
}
