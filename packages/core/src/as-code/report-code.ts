/** Saved questions as a document holds them. */
import { QUESTION_KINDS, readQuestion, type QuestionKind } from '../analysis/question.ts'
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'

/** Named by its name. The segment of its definition is named by its name too, because each workspace gives it another id. */
export type ReportCode = { name: string; kind: QuestionKind; definition: JsonObject; isPinned: boolean }

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** `now`: milliseconds. Whether properties are declared is asked when the report is answered: the same document may declare them. */
export function readReportCode({ name, kind, definition, isPinned = false }: JsonObject, now: number): Parsed<ReportCode> {
  if (typeof name !== 'string' || name.trim() !== name || name === '' || name.length > LIMITS.reportNameLength)
    return no(`name must be a text of 1 to ${LIMITS.reportNameLength} characters without blanks around it`)
  const known = QUESTION_KINDS.find((each) => each === kind)
  if (!known) return no(`kind must be one of ${QUESTION_KINDS.join(', ')}`)
  if (typeof isPinned !== 'boolean') return no('isPinned must be true or false')
  if (!isPlainObject(definition)) return no('definition must be an object')
  const read = readQuestion(known, definition, { now, keptDays: LIMITS.eventRetentionDaysMax })
  return read.ok ? { ok: true, value: { name, kind: known, definition, isPinned } } : no(`definition: ${read.error}`)
}

/** Names are one where they differ only in capitals; so many are on the start page. */
export function reportsFault(reports: readonly ReportCode[]): string | undefined {
  const names = new Set(reports.map(({ name }) => name.toLowerCase()))
  if (names.size < reports.length) return 'reports: two of them have one name, but for capitals'
  const pinned = reports.filter(({ isPinned }) => isPinned).length
  return pinned > LIMITS.pinnedReports ? `reports: at most ${LIMITS.pinnedReports} are on the start page` : undefined
}
