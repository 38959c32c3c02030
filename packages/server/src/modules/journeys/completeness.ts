/** Drafts that are stored though something is missing in them. */
import type { Problem } from '@contentflow/core/journeys/journey.ts'
import { problemsOf } from '@contentflow/core/journeys/read-journey.ts'
import { refusalWith } from '../../errors.ts'
import { openRegexCheck } from '../segments/index.ts'
import type { StoredJourney } from './queries.ts'

/** What is missing in a journey, in the order of the steps; empty for a complete one. */
export function problemsIn(journey: StoredJourney): Problem[] {
  return journey.isIncomplete ? problemsOf(journey, openRegexCheck()) : []
}

/** An incomplete journey is neither run, tried out nor approved. */
export function refuseIncomplete(journey: StoredJourney): void {
  if (journey.isIncomplete) throw refusalWith('JOURNEY_INCOMPLETE', { problems: problemsIn(journey) })
}
