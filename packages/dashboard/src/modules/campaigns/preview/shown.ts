import type { MessageContent } from '@contentflow/core/messages/content.ts'

/** What every preview is given: the words, filled, and how they are read. */
export type PreviewContent = { content: MessageContent; locale: string; dir: 'ltr' | 'rtl'; addresses: Addresses }

/** Where paths of it, and its unsubscribe link, lead. */
export type Addresses = { webAddress: string | null; unsubscribeUrl: string | undefined }
