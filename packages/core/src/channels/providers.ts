/** The eleven providers of the documents (M-CHAN-03, G-59), and web push (decision 67). */
import { mailgun, resend, sendgrid } from './email.ts'
import { apns, fcm, hms } from './push.ts'
import { contentflowSms, taqnyat, twilio, twilioWhatsapp } from './sms.ts'
import { SMTP_MEMBERS, smtpFault } from './smtp.ts'
import { webPush } from './web-push/web-push.ts'
import type { ChannelType, Configuration, HttpProvider, Member } from './channel.ts'

const HTTP = {
  sendgrid,
  mailgun,
  resend,
  'contentflow-sms': contentflowSms,
  taqnyat,
  twilio,
  'twilio-whatsapp': twilioWhatsapp,
  fcm,
  apns,
  hms,
  web_push: webPush,
} as const satisfies Record<string, HttpProvider>

export const PROVIDERS = ['smtp', ...(Object.keys(HTTP) as (keyof typeof HTTP)[])] as const
export type ProviderName = (typeof PROVIDERS)[number]

type Described = { type: ChannelType; members: readonly Member[]; faultOf?(configuration: Configuration): string | undefined }

/** What every provider says of itself, however it is called. */
export function describe(provider: ProviderName): Described {
  return provider === 'smtp' ? { type: 'email', members: SMTP_MEMBERS, faultOf: smtpFault } : HTTP[provider]
}

/** Undefined: it is called by SMTP. */
export function httpProvider(provider: ProviderName): HttpProvider | undefined {
  return provider === 'smtp' ? undefined : HTTP[provider]
}
