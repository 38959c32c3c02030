/** Answers as files for spreadsheets. */
import { SPREADSHEET_MARK, spreadsheetLine, type Cell } from '../strings/spreadsheet.ts'

type Group = { value: string | number | boolean | null; isOther: boolean; name?: string | undefined }
type Step = { type: string; people: number; share: number; shareOfPrevious: number; medianSeconds: number | null }
/** The members of an answer that a file has; times are ISO 8601. */
export type Tabular =
  | {
      kind: 'explore'
      intervals: readonly string[]
      series: readonly (Group & { type: string; values: readonly number[]; total: number })[]
    }
  | { kind: 'funnel'; steps: readonly Step[]; groups: readonly (Group & { people: readonly number[] })[] }
  | { kind: 'retention'; cohorts: readonly { from: string; people: number; returned: readonly number[] }[] }

/** A file for spreadsheets, UTF-8. */
export function answerCsv(answer: Tabular): string {
  return SPREADSHEET_MARK + answerTable(answer).map(spreadsheetLine).join('')
}

const nameOf = ({ value, isOther, name }: Group): Cell => (isOther ? '…' : (name ?? value))

/** The rows of the file, with its first line: what each column is. */
export function answerTable(answer: Tabular): Cell[][] {
  switch (answer.kind) {
    case 'explore':
      return [
        ['type', 'group', ...answer.intervals, 'total'],
        ...answer.series.map((line) => [line.type, nameOf(line), ...line.values, line.total]),
      ]
    case 'funnel':
      return [
        [
          'step',
          'type',
          'people',
          'share',
          'share of previous',
          'median seconds',
          ...answer.groups.map((group) => String(nameOf(group) ?? '')),
        ],
        ...answer.steps.map(({ type, people, share, shareOfPrevious, medianSeconds }, index) => [
          index + 1,
          type,
          people,
          share,
          shareOfPrevious,
          medianSeconds,
          ...answer.groups.map((group) => group.people[index] ?? 0),
        ]),
      ]
    case 'retention':
      return [
        ['from', 'people', ...answer.cohorts.map((_, index) => String(index))],
        ...answer.cohorts.map(({ from, people, returned }) => [from.slice(0, 10), people, ...returned]),
      ]
    default:
      return answer satisfies never
  }
}
