import { isIP } from 'node:net'
import type { Context } from '../../../../context.ts'

/** Whom passkeys are for: the host by which people reach this server, and the address of its pages. */
export type RelyingParty = { id: string; origin: string }

/**
 * Undefined where passkeys are not offered. They are tied to a host for good, so it is the one that is configured; a browser
 * knows them only over https, or on its own machine, and never at a number. `reachedAt`: the address of this server.
 */
export function relyingParty({ config }: Context, reachedAt: string): RelyingParty | undefined {
  if (!URL.canParse(reachedAt)) return undefined
  const { protocol, hostname: id, origin } = new URL(reachedAt)
  if (id === 'localhost') return { id, origin }
  const isNumber = isIP(id) !== 0 || id.startsWith('[')
  return config.publicUrl !== '' && protocol === 'https:' && !isNumber ? { id, origin } : undefined
}
