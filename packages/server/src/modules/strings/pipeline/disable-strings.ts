import { LIMITS } from '@contentflow/core/limits.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { keyFault } from '@contentflow/core/strings/read-rows.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { changeCatalog, touchCatalog } from '../change-catalog.ts'
import { findSensorStates, setSensors } from '../editor/queries-sensors.ts'

export type DisableReport = { disabled: string[]; alreadyDisabled: string[]; unknown: string[] }

/** Turns sensors off (M188). Texts stay as they are. */
export async function disableStrings(ctx: Context, by: Actor, body: unknown): Promise<DisableReport> {
  const keys = readKeys(isPlainObject(body) ? body['keys'] : undefined)
  return changeCatalog(ctx, by, async (change, { next }) => {
    ctx.faults.check('localization')
    const { tx, workspaceId, now } = change
    const states = await findSensorStates(tx, workspaceId, keys)
    const disabled = keys.filter((key) => states.get(key) === true)
    if (disabled.length > 0) {
      await setSensors(tx, workspaceId, disabled, { isSensor: false, revision: next, now })
      touchCatalog(change, { reaches: false })
    }
    return {
      disabled,
      alreadyDisabled: keys.filter((key) => states.get(key) === false),
      unknown: keys.filter((key) => !states.has(key)),
    }
  })
}

/** M-STRS-30. */
function readKeys(keys: unknown): string[] {
  const refuse = (message: string) => fail('VALIDATION_ERROR', { message })
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > LIMITS.stringsPerDisable)
    return refuse(`keys must be an array of 1 to ${LIMITS.stringsPerDisable} string keys`)
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string') refuse(`keys[${index}] must be a string`)
    const fault = keyFault(key as string)
    if (fault) refuse(`keys[${index}]: a ${fault}`)
  }
  if (new Set(keys).size < keys.length) refuse('keys must not name a key twice')
  return keys as string[]
}
