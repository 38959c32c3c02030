import { foldTag } from '../locale/language-tag.ts'
import { languageName } from '../locale/languages.ts'

/** Where a column of a file goes; `locale:ar` is the translation into a locale of the workspace. */
export type ColumnTarget = 'key' | 'source' | 'namespace' | 'description' | 'ignored' | `locale:${string}`
type Locales = { source: string; translated: readonly string[] }

/** How other tools and people call these columns, without spaces and signs. */
const OTHER_NAMES: Record<'key' | 'source' | 'namespace' | 'description', readonly string[]> = {
  key: ['id', 'identifier', 'stringid', 'stringkey', 'keyname', 'name', 'المفتاح', 'مفتاح', 'المعرف', 'الرمز'],
  source: ['source', 'original', 'originaltext', 'text', 'default', 'reference', 'النصالأصلي', 'الأصل', 'النص'],
  namespace: ['group', 'section', 'module', 'category', 'المجال', 'مجال', 'القسم'],
  description: ['comment', 'comments', 'context', 'note', 'notes', 'الوصف', 'وصف', 'ملاحظات', 'السياق'],
}

/** The targets that a file of this workspace can name. */
export function targetsOf({ translated }: Locales): ColumnTarget[] {
  return ['key', 'source', ...translated.map((code) => `locale:${code}` as const), 'namespace', 'description', 'ignored']
}

/**
 * What each column most likely is: what somebody chose for a column of this name before, what the import itself would
 * read, else by the names that languages and columns have elsewhere. No two columns have the same target, except that
 * the source text may stand under both of its names.
 */
export function suggestTargets(
  header: readonly string[],
  locales: Locales,
  remembered: ReadonlyMap<string, ColumnTarget> = new Map(),
): ColumnTarget[] {
  const possible = new Set(targetsOf(locales))
  const known = header.map((name) => {
    const chosen = remembered.get(name.toLowerCase())
    return chosen !== undefined && possible.has(chosen) ? chosen : nativeTarget(name, locales)
  })
  const taken = new Set(known)
  const unique = known.map((target, at) => {
    const isRepeated = target !== undefined && target !== 'source' && known.indexOf(target) < at
    return isRepeated ? 'ignored' : target
  })
  return unique.map((target, at) => {
    if (target !== undefined) return target
    const guess = guessTarget(header[at] ?? '', locales)
    if (guess === undefined || taken.has(guess)) return 'ignored'
    taken.add(guess)
    return guess
  })
}

/** What the import takes a column for, by its name alone. */
function nativeTarget(name: string, { source, translated }: Locales): ColumnTarget | undefined {
  const lower = name.toLowerCase()
  if (lower === 'key' || lower === 'namespace' || lower === 'description') return lower
  if (lower === 'sourcetext' || foldTag(name) === foldTag(source)) return 'source'
  const code = translated.find((one) => foldTag(one) === foldTag(name))
  return code === undefined ? undefined : `locale:${code}`
}

function guessTarget(name: string, locales: Locales): ColumnTarget | undefined {
  const plain = plainOf(name)
  for (const target of ['key', 'source', 'namespace', 'description'] as const)
    if (OTHER_NAMES[target].some((other) => plainOf(other) === plain)) return target
  const code = guessLocale(name, [...locales.translated, locales.source])
  if (code === undefined) return undefined
  return code === locales.source ? 'source' : `locale:${code}`
}

/** `ar_SA`, `Arabic`, `العربية`, `Arabic (ar)`; a code of a region stands for its language when there is no nearer one. */
function guessLocale(name: string, codes: readonly string[]): string | undefined {
  const inBrackets = /\(([^()]{1,40})\)\s{0,9}$/.exec(name)?.[1]
  const parts = inBrackets === undefined ? [] : [inBrackets, name.slice(0, name.lastIndexOf('('))]
  const wanted = new Set([name, foldTag(name.trim()), ...parts].map(plainOf))
  const isNamed = (code: string) =>
    [code, foldTag(code), ...['en', 'ar', code].map((language) => languageName(code, language))].some((one) => wanted.has(plainOf(one)))
  const found = codes.find(isNamed)
  if (found !== undefined) return found
  const language = (code: string) => foldTag(code).split('-')[0]
  const isCode = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){1,3}$/i.test(name.trim())
  return isCode ? codes.find((code) => language(code) === language(name.trim())) : undefined
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.\-:]/g, '')
}

/** The header by which the import reads the columns so; null when the file's own header says just that. */
export function headerOf(header: readonly string[], targets: readonly ColumnTarget[], locales: Locales): string[] | null {
  const isNative = header.every((name, at) => (name === '' ? targets[at] === 'ignored' : nativeTarget(name, locales) === targets[at]))
  if (isNative) return null
  return targets.map((target, at) => {
    if (target === 'ignored') return ''
    if (target === 'source') return targets.indexOf('source') === at ? 'sourceText' : locales.source
    return target.startsWith('locale:') ? target.slice('locale:'.length) : target
  })
}
