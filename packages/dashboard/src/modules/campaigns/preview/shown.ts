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
}

/** Where the paths of the message, and its unsubscribe link, lead. */
export type Addresses = { webAddress: string | null; unsubscribeUrl: string | undefined }
