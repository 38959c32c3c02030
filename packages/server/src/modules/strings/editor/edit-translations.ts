import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { comparePlaceholders, readPlaceholders } from '@contentflow/core/strings/placeholders.ts'
import type { StoredString } from '@contentflow/core/strings/plan-sync.ts'
import { nextTranslationStatus, type StoredTranslationStatus } from '@contentflow/core/strings/status.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { changeCatalog, takeTextRoom, touchCatalog, type LockedCatalog } from '../change-catalog.ts'
import { readText } from './edit-strings.ts'
import { permitTexts } from '../permit-texts.ts'
import { keepHistory } from '../history/keep-history.ts'
import { findChange } from '../history/queries-history.ts'
import { expectText } from '../history/text-tag.ts'
import { findStored, stampStrings, upsertTranslations, type TranslationRow } from '../queries.ts'
import { deleteTranslation } from './queries-list.ts'

/** The translation of one string in one locale, the locale as it was asked for. */
export type Target = Actor & { key: string; locale: string; /** The tag of the text that was read. */ ifMatch?: string | undefined }
export type SavedTranslation = { key: string; locale: string; text: string; status: StoredTranslationStatus }

/** A translation saved in the editor waits for review, even where an approved one stood (C-STR-40). */
export async function saveTranslation(ctx: Context, target: Target, body: unknown): Promise<SavedTranslation> {
  return changeTranslation(ctx, target, async (stored) => {
    const text = readText(isPlainObject(body) ? body['text'] : undefined)
    return { text, status: nextTranslationStatus(stored?.status ?? 'missing', 'save') }
  })
}

/** Approves a translation; a text in the body is stored and approved, even where none was there (C-STR-36). Broken placeholders need `force`. */
export async function approveTranslation(ctx: Context, target: Target, body: unknown): Promise<SavedTranslation> {
  return changeTranslation(ctx, target, async (stored, sourceText, locale) => {
    const isForced = readForce(body)
    const sent = isPlainObject(body) ? body['text'] : failWith(400, 'The body must be a JSON object')
    const text = sent === undefined ? stored?.text : readText(sent)
    if (text === undefined) failWith(409, 'There is no translation to approve; send its text')
    const mismatch = isForced ? undefined : findMismatch(sourceText, text, locale)
    if (mismatch !== undefined) fail('PLACEHOLDER_MISMATCH', { message: `${mismatch}; correct the text, or send force: true` })
    const status = sent === undefined && stored ? stored.status : nextTranslationStatus(stored?.status ?? 'missing', 'save')
    return { text, status: nextTranslationStatus(status, 'approve') }
  })
}

function readForce(body: unknown): boolean {
  const force = isPlainObject(body) ? body['force'] : undefined
  return force === undefined || typeof force === 'boolean' ? force === true : failWith(400, 'force must be a boolean')
}

/** Why applications would show the text wrong. */
function findMismatch(sourceText: string, text: string, locale: string): string | undefined {
  return comparePlaceholders(readPlaceholders(sourceText), readPlaceholders(text), locale).find(({ isBreaking }) => isBreaking)?.message
}

/** Restores the translation from before a change; it is saved like one that is typed. */
export async function restoreTranslation(ctx: Context, target: Target, readNumber: () => number): Promise<SavedTranslation> {
  return changeTranslation(ctx, target, async (stored, _source, locale, { tx, workspaceId }) => {
    const number = readNumber()
    const { from } =
      (await findChange(tx, workspaceId, { key: target.key, locale, number })) ?? failWith(404, 'no such change of this text')
    if (from === null) failWith(409, 'There was no text before this change; take the translation out instead')
    return from === stored?.text ? stored : { text: from, status: nextTranslationStatus(stored?.status ?? 'missing', 'save') }
  })
}

/** Takes the translation out: it is missing again. */
export async function removeTranslation(ctx: Context, target: Target): Promise<void> {
  const { key, locale, ifMatch, ...of } = target
  await changeCatalog(ctx, of, async (change, catalog) => {
    const { tx, workspaceId, now } = change
    const { stored, code } = await findTarget(change, catalog, { key, locale })
    const found = stored.translations.get(code)
    if (found) expectText(ifMatch, found.text)
    const translation = found ?? failWith(404, 'There is no such translation')
    await permitTexts(change, { locales: [code], keys: [key] })
    await keepHistory(change, catalog.next, [{ key, locale: code, before: translation.text, after: null }])
    await deleteTranslation(tx, workspaceId, key, code)
    await stampStrings(tx, workspaceId, [key], catalog.next, now)
    touchCatalog(change, { reaches: translation.status === 'ok' })
  })
}

type Stored = { text: string; status: StoredTranslationStatus }

type Decide = (stored: Stored | undefined, sourceText: string, locale: string, change: Change) => Promise<Stored>

async function changeTranslation(ctx: Context, { key, locale, ifMatch, ...of }: Target, decide: Decide): Promise<SavedTranslation> {
  return changeCatalog(ctx, of, async (change, catalog) => {
    const { stored, code } = await findTarget(change, catalog, { key, locale })
    const before = stored.translations.get(code)
    const { text, status } = await decide(before, stored.sourceText, code, change)
    expectText(ifMatch, before?.text)
    const isApprovedAgain = status === 'ok' && before?.status === 'ok' && before.text === text
    await keepHistory(change, catalog.next, [{ key, locale: code, before: before?.text ?? null, after: text }])
    if (!isApprovedAgain)
      await writeTranslations(change, catalog, [{ key, locale: code, text, status, isDraft: false }], before?.status === 'ok')
    return { key, locale: code, text, status }
  })
}

/** Writes translations and makes every process read their strings again. `wereServed`: whether one of them was approved before. */
export async function writeTranslations(
  change: Change,
  { next }: LockedCatalog,
  rows: readonly TranslationRow[],
  wereServed = false,
): Promise<void> {
  const { tx, workspaceId, now } = change
  if (rows.length === 0) return
  await permitTexts(change, { locales: rows.map(({ locale }) => locale), keys: rows.map(({ key }) => key) })
  takeTextRoom(change, { translations: rows })
  await upsertTranslations(tx, workspaceId, rows, now)
  await stampStrings(tx, workspaceId, [...new Set(rows.map(({ key }) => key))], next, now)
  touchCatalog(change, { reaches: wereServed || rows.some(({ status }) => status === 'ok') })
}

/** The string, and the locale as the workspace spells it. */
export async function findTarget(
  { tx, workspaceId }: Change,
  catalog: LockedCatalog,
  { key, locale }: Pick<Target, 'key' | 'locale'>,
): Promise<{ stored: StoredString; code: string }> {
  const stored = (await findStored(tx, workspaceId, [key], catalog.locales)).get(key) ?? fail('UNKNOWN_STRING')
  return { stored, code: translatedLocale(catalog, locale) }
}

/** 404 for a locale the workspace lacks; the source language has no translations. */
export function translatedLocale({ sourceLocale, locales }: Pick<LockedCatalog, 'sourceLocale' | 'locales'>, asked: string): string {
  const tag = foldTag(asked)
  if (tag === foldTag(sourceLocale ?? 'en')) fail('SOURCE_LANGUAGE')
  return locales.find((code) => foldTag(code) === tag) ?? failWith(404, 'unknown locale')
}

export type ApprovedMany = {
  approved: string[]
  alreadyApproved: string[]
  missing: string[]
  unknown: string[]
  mismatched: { key: string; message: string }[]
}

/** Approves what waits for review in one locale; keys without a translation are reported and stay as they are. */
export async function approveMany(ctx: Context, by: Actor, body: unknown): Promise<ApprovedMany> {
  const { locale, keys } = isPlainObject(body) ? body : failWith(400, 'The body must be a JSON object')
  if (typeof locale !== 'string') failWith(400, 'locale must be a locale code')
  const isRight = Array.isArray(keys) && keys.length > 0 && keys.length <= LIMITS.stringsPerDisable
  if (!isRight || !keys.every((key): key is string => typeof key === 'string'))
    return failWith(400, `keys must be an array of 1 to ${LIMITS.stringsPerDisable} string keys`)
  const isForced = readForce(body)
  return changeCatalog(ctx, by, async (change, catalog) => {
    const code = translatedLocale(catalog, locale)
    const named = [...new Set(keys)]
    const stored = await findStored(change.tx, change.workspaceId, named, [code])
    const statusOf = (key: string) => stored.get(key)?.translations.get(code)?.status
    const mismatched: ApprovedMany['mismatched'] = []
    const rows = named.flatMap((key): TranslationRow[] => {
      const string = stored.get(key)
      const translation = string?.translations.get(code)
      if (translation?.status !== 'review') return []
      const message = isForced ? undefined : findMismatch(string?.sourceText ?? '', translation.text, code)
      if (message !== undefined) {
        mismatched.push({ key, message })
        return []
      }
      return [{ key, locale: code, text: translation.text, status: nextTranslationStatus(translation.status, 'approve'), isDraft: false }]
    })
    await writeTranslations(change, catalog, rows)
    return {
      approved: rows.map(({ key }) => key),
      alreadyApproved: named.filter((key) => statusOf(key) === 'ok'),
      missing: named.filter((key) => stored.has(key) && statusOf(key) === undefined),
      unknown: named.filter((key) => !stored.has(key)),
      mismatched,
    }
  })
}
