import { LIMITS } from '@contentflow/core/limits.ts'
import { coverageOf, languageName } from '@contentflow/core/locale/languages.ts'
import type { Locale } from '@contentflow/core/locale/read-locale.ts'
import { comparePlaceholders, readPlaceholders, type Warning } from '@contentflow/core/strings/placeholders.ts'
import { Nullable, Time, Type, Shaped } from '../../http/schema.ts'
import type { ListedString } from './editor/queries-list.ts'
import { tagOf } from './history/text-tag.ts'
import type { StatusCounts } from './queries.ts'

const StatusName = Type.Enum(['ok', 'review', 'missing'])
const Text = Type.String({ minLength: 1, maxLength: LIMITS.stringTextLength })
const members = {
  sourceText: Text,
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.namespaceLength })),
  description: Type.Optional(Type.String({ maxLength: LIMITS.stringDescriptionLength, description: 'For translators' })),
}

export const NewStringBody = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: LIMITS.stringKeyLength }), ...members },
  { examples: [{ key: 'home.title', sourceText: 'Welcome' }] },
)
export const StringBody = Type.Object(
  {
    ...members,
    sourceText: Type.Optional(Text),
    hidden: Type.Optional(Type.Boolean({ description: 'A hidden string is never delivered, and its signals are not taken' })),
  },
  { examples: [{ sourceText: 'Welcome back' }] },
)
export const TranslationBody = Type.Object({ text: Text }, { examples: [{ text: 'أهلا' }] })
const Force = Type.Optional(Type.Boolean({ description: 'Also where placeholders are not those of the source text' }))
export const ApproveBody = Type.Object({ text: Type.Optional(Text), force: Force })
export const ApproveManyBody = Type.Object(
  {
    locale: Type.String(),
    keys: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.stringsPerDisable }),
    force: Force,
  },
  { examples: [{ locale: 'ar', keys: ['home.title'] }] },
)

export const WarningSchema = Shaped<Warning>(
  Type.Object({
    code: Type.String({ examples: ['missing_placeholder'] }),
    placeholder: Nullable(Type.String()),
    message: Type.String(),
    isBreaking: Type.Boolean({ description: 'Applications would show it wrong; approving it takes `force`' }),
  }),
)
const Etag = Type.String({ description: 'For If-Match: which text it is', examples: ['"yl0ZsO9AFW9tJKRcMYeB1w"'] })
export const StringSchema = Type.Object({
  key: Type.String(),
  namespace: Type.String(),
  description: Type.String(),
  sourceText: Type.String(),
  etag: Etag,
  hidden: Type.Boolean(),
  sensor: Type.Boolean(),
  translations: Type.Record(
    Type.String(),
    Type.Object({
      text: Nullable(Type.String()),
      status: StatusName,
      drafted: Type.Boolean({ description: 'Proposed by the server, and not yet touched by anybody' }),
      updatedAt: Nullable(Time),
      etag: Etag,
      warnings: Type.Array(WarningSchema, { description: 'What is wrong with its placeholders; the worst first' }),
    }),
    { description: 'By locale; the source language has none' },
  ),
  createdAt: Time,
  updatedAt: Time,
})
export const TranslationSchema = Type.Object({
  key: Type.String(),
  locale: Type.String(),
  text: Type.String(),
  status: StatusName,
})
export const ReadTranslationSchema = Type.Object({
  key: Type.String(),
  locale: Type.String(),
  text: Nullable(Type.String()),
  status: StatusName,
  updatedAt: Nullable(Time),
  etag: Etag,
})
const TextChangeSchema = Type.Object(
  {
    number: Type.Integer({ description: 'What restoring names' }),
    from: Nullable(Type.String({ description: 'null: there was none' })),
    to: Nullable(Type.String({ description: 'null: it was taken out' })),
    madeBy: Type.String({ description: 'User id, or the id of the write key' }),
    at: Time,
  },
  { title: 'TextChange' },
)
export const TextHistorySchema = Type.Object({
  history: Type.Array(TextChangeSchema, {
    description: `The newest ${LIMITS.textHistory} changes, newest first; that a pipeline or a file brought a first text is none`,
  }),
})
export const RestoreBody = Type.Object({
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Of the change before which the text was what it becomes',
  }),
})
/** Headers of a change that may say which text it was made from. */
export const TextIfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: '`etag` of the text you read; with another one now it is 412, which says that one, and nothing is saved' }),
  ),
})
const Keys = Type.Array(Type.String())
export const ApprovedManySchema = Type.Object({
  approved: Keys,
  alreadyApproved: Keys,
  missing: Keys,
  unknown: Keys,
  mismatched: Type.Array(Type.Object({ key: Type.String(), message: Type.String() }), {
    description: 'Not approved: their placeholders are not those of the source text. `force` approves them all the same',
  }),
})

/** `locales`: those whose translations are shown. */
export function presentString(string: ListedString, locales: readonly string[]) {
  const { key, namespace, description, sourceText, isHidden, isSensor, createdAt, updatedAt, translations } = string
  const source = readPlaceholders(sourceText)
  const shown = locales.map((locale) => {
    const found = translations.get(locale)
    if (!found)
      return [locale, { text: null, status: 'missing' as const, drafted: false, updatedAt: null, etag: tagOf(null), warnings: [] }] as const
    const warnings = comparePlaceholders(source, readPlaceholders(found.text), locale)
    const { text, status, isDraft: drafted, updatedAt: changedAt } = found
    return [locale, { text, status, drafted, updatedAt: changedAt, etag: tagOf(text), warnings }] as const
  })
  return {
    key,
    namespace,
    description,
    sourceText,
    etag: tagOf(sourceText),
    hidden: isHidden,
    sensor: isSensor,
    translations: Object.fromEntries(shown),
    createdAt,
    updatedAt,
  }
}

export const SensorBody = Type.Object({ enabled: Type.Boolean() })
export const SensorSchema = Type.Object({ key: Type.String(), sensor: Type.Boolean() })
export const SensorWaitsSchema = Type.Object(
  {
    key: Type.String(),
    sensor: Type.Literal(false),
    requestId: Type.String({ description: 'It waits for approval' }),
  },
  { title: 'SensorWaits' },
)
export const SensorRequestSchema = Type.Object({
  id: Type.String(),
  key: Type.String(),
  requestedBy: Type.String({ description: 'The user id of a member' }),
  createdAt: Time,
})

export const LocaleBody = Type.Object(
  {
    code: Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }),
    name: Type.Optional(Type.String({ maxLength: LIMITS.localeNameLength, description: 'In English' })),
    native: Type.Optional(Type.String({ maxLength: LIMITS.localeNameLength, description: 'In itself' })),
    rtl: Type.Optional(Type.Boolean({ description: 'Written from right to left' })),
  },
  { examples: [{ code: 'ar' }] },
)
export const LocaleSchema = Type.Object({
  code: Type.String(),
  name: Type.String(),
  native: Type.String(),
  rtl: Type.Boolean(),
  coverage: Type.Integer({ description: 'Percent of the visible strings that are approved' }),
  source: Type.Boolean({ description: 'Source texts are in this language' }),
  counts: Type.Object({ ok: Type.Integer(), review: Type.Integer(), missing: Type.Integer() }),
})

/** Counts are of visible strings. */
export function presentLocale({ code, name, native, rtl }: Locale, isSource: boolean, { total, byLocale }: StatusCounts) {
  const { ok, review } = isSource ? { ok: total, review: 0 } : (byLocale.get(code) ?? { ok: 0, review: 0 })
  return {
    code,
    name: name ?? languageName(code, 'en'),
    native: native ?? languageName(code, code),
    rtl,
    coverage: isSource ? 100 : coverageOf(ok, total),
    source: isSource,
    counts: { ok, review, missing: total - ok - review },
  }
}
