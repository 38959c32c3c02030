import { compileJourney, type Program } from '@contentflow/core/journeys/advance.ts'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import { prayersAround } from '../calendar/index.ts'
import { compileRegex } from '../segments/index.ts'

/** Used by the engine and by test runs, so that both do the same. */
export function compile(journeyId: string, steps: readonly Step[]): Program {
  return compileJourney(steps, {
    journeyId,
    compileRegex,
    hash32,
    prayersAround: (at, place, prayer) => prayersAround(at, place, [prayer]),
  })
}
