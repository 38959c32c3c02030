import { compileJourney, type Program } from '@contentflow/core/journeys/advance.ts'
import type { Journey, Step } from '@contentflow/core/journeys/journey.ts'
import { compileHearing, type Hearing } from '@contentflow/core/journeys/hearing.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
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

/** What a journey hears; conditions with patterns take memory, so few are held. */
const HEARINGS = 200
const hearings = new GenerationalCache<string, Hearing>(HEARINGS)

export function hearingOf(workspaceId: string, journey: Journey & { id: string; version: number }): Hearing {
  const key = `${workspaceId}/${journey.id}/${journey.version}`
  const held = hearings.get(key)
  if (held) return held
  const made = compileHearing(journey, compileRegex)
  hearings.set(key, made)
  return made
}
