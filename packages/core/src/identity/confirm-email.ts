/** Whether somebody is asked by mail if they want mail (double opt-in, protection `confirmEmails`). */
import type { Channels } from './consent/consent.ts'
import { isEmail } from './contact.ts'

type Named = {
  environment: 'live' | 'test'
  email: string | null
  appEmail: { contact: string } | null
  channels: Channels
  personalOptOut: boolean
}

/** An address that only an app named, of whom the app says that they agreed to mail. Test people are not written to. */
export function wantsConfirmation({ environment, email, appEmail, channels, personalOptOut }: Named): boolean {
  const isNamedByApp = isEmail(email) && appEmail?.contact === email
  return environment === 'live' && isNamedByApp && channels.email === true && !personalOptOut
}
