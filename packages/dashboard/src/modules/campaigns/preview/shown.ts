import type { FilledMail } from '@contentflow/core/mail/document.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'

/** What every preview gets: the texts with tokens filled in, and their direction. */
export type PreviewContent = {
  content: MessageContent
  /** A mail of sections, shown instead of the content. */
  mail?: FilledMail
  locale: string
  dir: 'ltr' | 'rtl'
  addresses: Addresses
  /** Whether its link is a short one. */
  isShort?: boolean
}

/** Where the paths of the message, its unsubscribe link and its short links lead; `linkAddress` is undefined where nobody knows. */
export type Addresses = { webAddress: string | null; unsubscribeUrl: string | undefined; linkAddress: string | undefined }
