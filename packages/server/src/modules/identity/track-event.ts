import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { arePropertiesWithin } from '@contentflow/core/events/properties.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { readDeviceState, refuseErased, signedInUser } from '../people/index.ts'
import { insertIdentityEvent } from './queries.ts'

const TOO_LARGE = `properties may be at most ${LIMITS.eventProperties}, of ${LIMITS.eventPropertiesBytes} bytes together, so the event is not stored`
const TYPES: ReadonlySet<unknown> = new Set(['sign_up', 'sign_in'])

/** C-TRK, G-19. What it returns is why the event was not taken; undefined when it was. */
export async function trackEvent(
  ctx: Context,
  caller: AppCaller,
  deviceId: string,
  body: Record<string, unknown>,
): Promise<string | undefined> {
  const now = ctx.clock.now()
  const state = await readDeviceState(ctx.db, caller, deviceId, now)
  const type = body['type'] ?? body['event'] ?? body['eventType']
  if (typeof type !== 'string' || !TYPES.has(type))
    fail('ENDPOINT_MISMATCH', { message: 'type must be sign_up or sign_in; send other events to /events' })
  const properties = body['properties'] ?? {}
  if (!isPlainObject(properties)) failWith(400, 'properties must be an object')
  await refuseErased(ctx.db, caller, deviceId, undefined)
  if (!arePropertiesWithin(properties)) return TOO_LARGE
  if (signedInUser(state, now) === undefined || !state.profile) return 'No user is linked to this device: identify it with a userId first'
  if (state.device?.consent !== 'granted') return 'The person has not agreed to analytics, so the event is not stored'
  const isStored = await insertIdentityEvent(ctx.db, {
    workspaceId: caller.workspaceId,
    environment: caller.environment,
    id: uuidv7(now.getTime()),
    profileId: state.profile.id,
    type,
    properties,
    at: now,
  })
  return isStored ? undefined : fail('SUBJECT_ERASED')
}
