/** Why an experiment says what it says, as a sentence for whoever reads the API. */
import type { ExperimentVerdict } from './judge.ts'
import type { ExperimentSubject } from './metric.ts'

/** `harmed`: events of guardrails that what leads harms. `missing`: units until the planned size, `days`: about how long that takes. */
export type Reasons = {
  subject: ExperimentSubject
  verdict: ExperimentVerdict
  isMismatch: boolean
  harmed: readonly string[]
  missing: number | null
  days: number | null
}

export function becauseOf({ subject, verdict, isMismatch, harmed, missing, days }: Reasons): string {
  const units = subject === 'control' ? 'people' : 'devices'
  if (isMismatch) return 'The groups do not have the sizes that their weights say, so nothing is to be believed.'
  const harm = harmed.length > 0 ? `What leads harms ${harmed.join(', ')}. ` : ''
  const wait = missing ? ` The planned size needs ${missing} more ${units}${days ? `, about ${days} days` : ''}.` : ''
  switch (verdict.kind) {
    case 'too_few':
      return `Too few ${units} to compare.${wait}`
    case 'open':
      return `${harm}No clear difference: what differs can be chance.${wait}`
    case 'clear':
      return `${harm}${verdict.best} is better than ${verdict.than}, ${verdict.by === 'planned_reading' ? 'by the planned reading' : 'whenever one looks'}.`
    default:
      return verdict satisfies never
  }
}
