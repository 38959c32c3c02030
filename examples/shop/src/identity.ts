import type { Identity } from '@contentflow/sdk'
import type { Person } from './remembered.ts'

/** What the shop says of somebody who signed in; signing in needs the consent. */
export function identityOf({ userId, name, traits: { plan, city } }: Person): Identity {
  const traits = { ...(plan && { plan }), ...(city && { city }) }
  return { userId, consent: true, ...(name !== '' && { name }), ...(Object.keys(traits).length > 0 && { traits }) }
}
