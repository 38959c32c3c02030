import type { MessageContent } from '@contentflow/core/messages/content.ts'

/** What every preview is given: the words, filled, and how they are read. */
export type Shown = { content: MessageContent; locale: string; dir: 'ltr' | 'rtl' }
