/** What was done to a mail, to be undone and done again. */
import type { MailDocument } from '@contentflow/core/mail/document.ts'

/** `group`: what the last change belongs to; changes of one group that follow each other are one step. */
export type History = { past: MailDocument[]; future: MailDocument[]; group: string | undefined }

export const NO_HISTORY: History = { past: [], future: [], group: undefined }

const STEPS = 100

/** `before`: the document as it was. `group`: undefined where the change stands for itself. */
export function recorded({ past, group: last }: History, before: MailDocument, group: string | undefined): History {
  const isSameStep = group !== undefined && group === last
  return { past: isSameStep ? past : [...past, before].slice(-STEPS), future: [], group }
}

/** Undefined: there is nothing to undo. */
export function undone({ past, future }: History, now: MailDocument): { history: History; document: MailDocument } | undefined {
  const document = past.at(-1)
  return document && { document, history: { past: past.slice(0, -1), future: [now, ...future], group: undefined } }
}

/** Undefined: there is nothing to do again. */
export function redone({ past, future }: History, now: MailDocument): { history: History; document: MailDocument } | undefined {
  const [document, ...rest] = future
  return document && { document, history: { past: [...past, now], future: rest, group: undefined } }
}

/** The next change is a step of its own. */
export function ended(history: History): History {
  return { ...history, group: undefined }
}
