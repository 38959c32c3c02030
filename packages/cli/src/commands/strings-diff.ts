import { runToEnd } from '@contentflow/core/steps.ts'
import { lastOfEach, planSync, type StoredString, type SyncPlan, type Translation } from '@contentflow/core/strings/plan-sync.ts'
import { openApi } from '../api.ts'
import { DIFFERS, SAME, type Exit, type Io } from '../io.ts'
import type { Style } from '../style.ts'
import { readAllRows, readCatalog, type DeclaredCatalog } from './strings.ts'

/** What a push would do to one text. `before` is null where there is nothing yet. */
type Difference = {
  key: string
  change: 'created' | 'updated'
  details: { member: string; before: string | null; after: string }[]
  /** Its translations that are not sent go to review, because the source text changes. */
  toReview: boolean
}

const SIGNS = { created: '+', updated: '~' } as const
const TONES = { created: 'added', updated: 'changed' } as const

/** Shows what a push of the file would change, by the same plan that the server makes of it. */
export async function stringsDiff(io: Io, { json }: { json?: boolean }, typed?: string): Promise<Exit> {
  const rows = readAllRows(io, typed).map(({ values = {}, ...row }) => ({ ...row, values: new Map(Object.entries(values)) }))
  const catalog = await readCatalog(openApi(io))
  const stored = storedOf(catalog)
  const plan = runToEnd(planSync(lastOfEach(rows), stored, catalog))
  const differences = differencesOf(plan, stored)
  const rejected = plan.rejected.map(({ key }) => key)
  const { skippedLocales } = plan
  if (json) io.out(`${JSON.stringify({ differences, rejected, skippedLocales })}\n`)
  else tell(io, { differences, rejected, skippedLocales })
  return differences.length + rejected.length === 0 ? SAME : DIFFERS
}

function tell(io: Io, found: { differences: Difference[]; rejected: string[]; skippedLocales: string[] }): void {
  const { differences, rejected, skippedLocales } = found
  for (const difference of differences) io.out(describe(io.style, difference))
  for (const key of rejected) io.out(`! ${key}\n    a new text needs its source text, in sourceText\n`)
  if (skippedLocales.length > 0) io.out(`Left out, because the workspace has no such language: ${skippedLocales.join(', ')}\n`)
  if (differences.length + rejected.length === 0) io.out('The texts are those of the file\n')
}

function storedOf({ strings }: DeclaredCatalog): Map<string, StoredString> {
  return new Map(
    strings.map(({ key, namespace, description, sourceText, values, review }) => {
      const translations = Object.entries(values).map(([locale, text]): [string, Translation] => [
        locale,
        { text, status: review.includes(locale) ? 'review' : 'ok' },
      ])
      return [key, { namespace, description, sourceText, translations: new Map(translations) }]
    }),
  )
}

/** In the order of keys. */
function differencesOf(plan: SyncPlan, stored: ReadonlyMap<string, StoredString>): Difference[] {
  const found = new Map<string, Difference>()
  const of = (key: string): Difference => {
    const difference: Difference = found.get(key) ?? {
      key,
      change: stored.has(key) ? 'updated' : 'created',
      details: [],
      toReview: plan.toReview.includes(key),
    }
    found.set(key, difference)
    return difference
  }
  for (const write of [...plan.inserts, ...plan.updates]) {
    const before = stored.get(write.key)
    for (const member of ['sourceText', 'namespace', 'description'] as const)
      if (write[member] !== (before?.[member] ?? ''))
        of(write.key).details.push({ member, before: before?.[member] ?? null, after: write[member] })
  }
  for (const { key, locale, text } of plan.translations)
    of(key).details.push({ member: locale, before: stored.get(key)?.translations.get(locale)?.text ?? null, after: text })
  return [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function describe(style: Style, { key, change, details, toReview }: Difference): string {
  const lines = [
    style.paint(TONES[change], `${SIGNS[change]} ${key}`),
    ...details.map(({ member, before, after }) => `    ${member}: ${changeOf(style, before, after)}`),
    ...(toReview ? ['    its translations that are not sent go to review'] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** A value before and after, on one line, whatever its direction and its line breaks. */
function changeOf({ paint, isolate }: Style, before: string | null, after: string): string {
  const now = paint('added', isolate(JSON.stringify(after)))
  return before === null ? now : `${paint('removed', isolate(JSON.stringify(before)))} → ${now}`
}
