/** Which erasures that an app asks for wait until the person or an admin confirms them (protection `confirmErasures`). */
import { LIMITS } from '../limits.ts'
import { isEmail } from './contact.ts'
import { HOUR_MS } from '../units.ts'

type Asking = {
  /** Null: nobody signed in, so nothing of anybody else can be meant. */
  userId: string | null
  /** Since when the device is that of its person; null: for long. */
  linkedAt: Date | null
}

/** A device that has just become a user's proves nothing: everybody with the app's key can have one. */
export function needsConfirmation({ userId, linkedAt }: Asking, now: Date): boolean {
  return userId !== null && linkedAt !== null && isFresh(linkedAt, now)
}

type Address = { email: string | null; closed: string | undefined; appEmail: { contact: string; at: string } | null }

/** Where the person is asked; null: nowhere. An address that an app has just named may be that of whoever asks. */
export function addressToAsk({ email, closed, appEmail }: Address, now: Date): string | null {
  if (!isEmail(email) || closed === email) return null
  return appEmail?.contact === email && isFresh(new Date(appEmail.at), now) ? null : email
}

function isFresh(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() < LIMITS.freshDeviceHours * HOUR_MS
}
