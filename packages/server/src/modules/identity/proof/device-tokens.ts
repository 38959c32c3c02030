/** The token of an installation is computed from its ids and a lasting secret of its workspace, so no token is stored. */
import { createHmac } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { randomToken } from '../../../infra/secrets/crypto.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import type { SecretLocation } from '../../../infra/secrets/secrets.ts'
import type { DeviceKey } from './queries-bindings.ts'
import { findIdentitySecret, insertIdentitySecret } from './queries-keys.ts'

const SECRET = 'device-proof'
/** Secrets of workspaces held by this process. */
const HELD = 10_000

/** The tokens of these installations of one workspace, in their order. Throws when the secret of the workspace cannot be read. */
export type MakeDeviceTokens = (workspaceId: string, devices: readonly Bound[]) => Promise<string[]>
type Bound = Omit<DeviceKey, 'workspaceId'> & { epoch: number }

export function placeOfSecret(workspaceId: string, id: string): SecretLocation {
  return { workspaceId, row: `identity_secrets/${id}` }
}

export function openDeviceTokens(ctx: Context): MakeDeviceTokens {
  const secrets = new GenerationalCache<string, Promise<string>>(HELD)
  const secretOf = (workspaceId: string): Promise<string> => {
    const held = secrets.get(workspaceId)
    if (held) return held
    const reading = readSecret(ctx, workspaceId)
    secrets.set(workspaceId, reading)
    reading.catch(() => secrets.delete(workspaceId))
    return reading
  }
  return async (workspaceId, devices) => {
    if (devices.length === 0) return []
    const secret = await secretOf(workspaceId)
    return devices.map(({ environment, deviceId, epoch }) => {
      const about = JSON.stringify([workspaceId, environment, deviceId, epoch])
      return `${epoch}.${createHmac('sha256', secret).update(about).digest('base64url')}`
    })
  }
}

/** The secret of a workspace is made when it is needed first. */
async function readSecret({ db, secrets, clock }: Context, workspaceId: string): Promise<string> {
  const place = placeOfSecret(workspaceId, SECRET)
  let sealed = await findIdentitySecret(db, workspaceId, SECRET)
  if (sealed === undefined) {
    await insertIdentitySecret(db, workspaceId, SECRET, secrets.seal(randomToken(), place), clock.now())
    sealed = (await findIdentitySecret(db, workspaceId, SECRET)) ?? ''
  }
  return secrets.open(sealed, place)
}
