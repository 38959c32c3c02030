import { foldTag } from '../locale/language-tag.ts'
import { comparePlaceholders, readPlaceholders, type Warning } from './placeholders.ts'
import { nextTranslationStatus, type StoredTranslationStatus } from './status.ts'

/** What a pipeline or an import says of one key. Members left out stay as they are; an empty text is as good as none. */
export type StringRow = {
  key: string
  sourceText?: string
  namespace?: string
  description?: string
  /** Locale codes as they were sent, each with its text. */
  values: ReadonlyMap<string, string>
}

export type Translation = { text: string; status: StoredTranslationStatus }
export type StoredString = {
  namespace: string
  description: string
  sourceText: string
  /** Translations by locale code, spelled as the workspace spells it. */
  translations: ReadonlyMap<string, Translation>
}
/** `sourceLocale`: of a workspace without one it is English. */
export type Languages = { sourceLocale: string | null; locales: readonly string[] }

export type SyncOutcome = 'created' | 'updated' | 'unchanged' | 'rejected'
export type Rejection = { /** Of the row, from 0. */ index: number; key: string; reason: 'missing_source_text' }
export type StringWrite = { key: string; namespace: string; description: string; sourceText: string }
export type TranslationWrite = { key: string; locale: string; text: string; status: StoredTranslationStatus }

/** A text whose placeholders are not those of its source: applications would show it wrong, or fail. */
export type Mismatch = { /** Of the row, from 0. */ index: number; key: string; locale: string; warnings: Warning[] }
/**
 * What becomes of such a text. A pipeline declares what is already shipped, so its text keeps its status and is told; of
 * a file it waits for review.
 */
export type MismatchRule = 'tell' | 'review'

export type SyncPlan = {
  /** New strings, and stored ones with another text, namespace or description; whole. */
  inserts: StringWrite[]
  updates: StringWrite[]
  /** New translations and other texts; replaces what is stored. */
  translations: TranslationWrite[]
  /** Keys whose source text changed: every translation of theirs that is not written goes to review. */
  toReview: string[]
  created: number
  updated: number
  unchanged: number
  translationsWritten: number
  rejected: Rejection[]
  mismatches: Mismatch[]
  /** Locales the workspace lacks, as they were sent. */
  skippedLocales: string[]
  /** The outcome of each row, in the order of the rows. */
  outcomes: SyncOutcome[]
}

export const DEFAULT_NAMESPACE = 'app'

/** Keeps the last of several rows with the same key (G-41). */
export function lastOfEach(rows: readonly StringRow[]): StringRow[] {
  const last = new Map(rows.map((row) => [row.key, row]))
  return rows.filter((row) => last.get(row.key) === row)
}

/**
 * What rows of a sync or an import change, each of another key (M181 to M187). Never hides, shows or deletes a key, never
 * turns a sensor on or off, never empties a text. The same rows once more change nothing. A step for each text, which may
 * be long.
 */
export function* planSync(
  rows: readonly StringRow[],
  stored: ReadonlyMap<string, StoredString>,
  languages: Languages,
  rule: MismatchRule = 'tell',
): Generator<undefined, SyncPlan> {
  const plan = emptyPlan()
  const speller = spellerOf(languages)
  for (const [index, row] of rows.entries())
    plan.outcomes.push(yield* planRow(plan, { index, row, stored: stored.get(row.key) }, speller, rule))
  plan.translationsWritten = plan.translations.length
  plan.skippedLocales = [...speller.skipped.values()]
  return plan
}

function emptyPlan(): SyncPlan {
  const counts = { created: 0, updated: 0, unchanged: 0, translationsWritten: 0 }
  return {
    inserts: [],
    updates: [],
    translations: [],
    toReview: [],
    ...counts,
    rejected: [],
    mismatches: [],
    skippedLocales: [],
    outcomes: [],
  }
}

type Speller = {
  /** The texts sent for the workspace's locales, by their codes; the source language's under `source`. */
  read(values: ReadonlyMap<string, string>): { source: string | undefined; others: Map<string, string> }
  skipped: Map<string, string>
}

/** Codes are matched without case (M-STRS-43). */
function spellerOf({ sourceLocale, locales }: Languages): Speller {
  const source = foldTag(sourceLocale ?? 'en')
  const codes = new Map(locales.map((code) => [foldTag(code), code]))
  const lowered = new Map<string, string>()
  const skipped = new Map<string, string>()
  const lower = (sent: string) => {
    let code = lowered.get(sent)
    if (code === undefined) lowered.set(sent, (code = foldTag(sent)))
    return code
  }
  return {
    skipped,
    read: (values) => {
      const found: { source: string | undefined; others: Map<string, string> } = { source: undefined, others: new Map() }
      for (const [sent, text] of values) {
        if (text === '') continue
        const code = lower(sent)
        const known = codes.get(code)
        if (code === source) found.source = text
        else if (known !== undefined) found.others.set(known, text)
        else if (!skipped.has(code)) skipped.set(code, sent)
      }
      return found
    },
  }
}

function* planRow(
  plan: SyncPlan,
  { index, row, stored }: { index: number; row: StringRow; stored: StoredString | undefined },
  speller: Speller,
  rule: MismatchRule,
): Generator<undefined, SyncOutcome> {
  const { key } = row
  const { source, others } = speller.read(row.values)
  const sourceText = nonEmpty(row.sourceText) ?? source ?? stored?.sourceText
  if (sourceText === undefined) {
    plan.rejected.push({ index, key, reason: 'missing_source_text' })
    return 'rejected'
  }
  const write: StringWrite = {
    key,
    namespace: nonEmpty(row.namespace) ?? stored?.namespace ?? DEFAULT_NAMESPACE,
    description: row.description ?? stored?.description ?? '',
    sourceText,
  }
  const isSourceChanged = stored !== undefined && stored.sourceText !== sourceText
  const mismatches = (yield* findMismatches(sourceText, others)).map((mismatch) => ({ index, key, ...mismatch }))
  const broken = rule === 'review' ? new Set(mismatches.map(({ locale }) => locale)) : undefined
  const written = planTranslations(plan, key, others, stored, { isSourceChanged, broken })
  const isWritten = ({ locale }: Mismatch) => stored?.translations.get(locale)?.text !== others.get(locale)
  plan.mismatches.push(...(rule === 'tell' ? mismatches : mismatches.filter(isWritten)))
  if (isSourceChanged && stored.translations.size > 0) plan.toReview.push(key)
  if (!stored) {
    plan.inserts.push(write)
    plan.created++
    return 'created'
  }
  const isChanged = isSourceChanged || stored.namespace !== write.namespace || stored.description !== write.description
  if (isChanged) plan.updates.push(write)
  if (!isChanged && written === 0) {
    plan.unchanged++
    return 'unchanged'
  }
  plan.updated++
  return 'updated'
}

type Found = Pick<Mismatch, 'locale' | 'warnings'>

function* findMismatches(sourceText: string, texts: ReadonlyMap<string, string>): Generator<undefined, Found[]> {
  const found: Found[] = []
  if (texts.size === 0) return found
  const source = readPlaceholders(sourceText)
  for (const [locale, text] of texts) {
    const warnings = comparePlaceholders(source, readPlaceholders(text), locale).filter(({ isBreaking }) => isBreaking)
    if (warnings.length > 0) found.push({ locale, warnings })
    yield
  }
  return found
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

/**
 * How many are to be written. A text that is stored already is not written, and so not approved either: or a second
 * run of a pipeline would approve what the first one sent to review.
 */
function planTranslations(
  plan: SyncPlan,
  key: string,
  sent: ReadonlyMap<string, string>,
  stored: StoredString | undefined,
  { isSourceChanged, broken }: { isSourceChanged: boolean; broken: ReadonlySet<string> | undefined },
): number {
  const before = plan.translations.length
  for (const [locale, text] of sent) {
    const known = stored?.translations.get(locale)
    if (known?.text === text) continue
    const act = isSourceChanged ? 'send-with-source' : broken?.has(locale) ? 'send-broken' : 'send'
    const status = nextTranslationStatus(known?.status ?? 'missing', act)
    plan.translations.push({ key, locale, text, status })
  }
  return plan.translations.length - before
}
