import { answerCsv } from '@contentflow/core/analysis/csv.ts'
import type { Answered } from './questions/ask.ts'

/** The answer as a file. */
export function toCsv(answered: Answered): string {
  switch (answered.kind) {
    case 'explore':
      return answerCsv({ ...answered, intervals: answered.intervals.map((at) => at.toISOString()) })
    case 'retention':
      return answerCsv({ ...answered, cohorts: answered.cohorts.map((cohort) => ({ ...cohort, from: cohort.from.toISOString() })) })
    case 'funnel':
      return answerCsv(answered)
    default:
      return answered satisfies never
  }
}
