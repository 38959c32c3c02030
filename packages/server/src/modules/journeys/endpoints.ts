/** Endpoints that steps of journeys tell. */
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { placesOf } from '@contentflow/core/journeys/read-events.ts'
import { failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { holdEndpoints } from '../webhooks/index.ts'

/**
 * 400 with the path where a step tells an endpoint that is not there or is switched off. `mayBeOff`: a document makes endpoints that
 * are off, and journeys that tell them; activating asks again. What a draft does not name yet is left out.
 */
export async function refuseEndpoints(
  { tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>,
  steps: readonly Step[],
  { mayBeOff = false } = {},
): Promise<void> {
  const named = placesOf(steps).flatMap(([at, step]) =>
    step.type === 'webhook' && step.endpoint.trim() !== '' ? [[at, step.endpoint] as const] : [],
  )
  if (named.length === 0) return
  const known = await holdEndpoints(tx, workspaceId, [...new Set(named.map(([, endpoint]) => endpoint))])
  for (const [at, endpoint] of named) {
    const isOn = known.get(endpoint)
    if (isOn === undefined) failWith(400, `${at}.endpoint: there is no webhook with the id ${JSON.stringify(endpoint)}`)
    if (!isOn && !mayBeOff) failWith(400, `${at}.endpoint: this webhook is switched off; switch it on first`)
  }
}
