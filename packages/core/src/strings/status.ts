/**
 * The life of one translation of one string (C154 to C157). Only `ok` is delivered.
 *
 *   missing, ok, review ──save, send-with-source, send-broken──▶ review
 *   missing, ok, review ──send──▶ ok
 *   review ──approve──▶ ok
 *   ok ──change-source──▶ review
 */
export type TranslationStatus = 'ok' | 'review' | 'missing'
/** What is stored of a translation; a missing one is not stored. */
export type StoredTranslationStatus = Exclude<TranslationStatus, 'missing'>

/** Acts that come with a text. */
type Writing =
  /** The text is saved in the editor, or proposed by the server. */
  | 'save'
  /** A pipeline or an import sends another text; in the second case its row changes the source text too. */
  | 'send'
  | 'send-with-source'
  /** An import sends a text that applications would show wrong. */
  | 'send-broken'
/** Acts on the text that is there. */
type Judging =
  /** Somebody with the right to edit says the text is good. */
  | 'approve'
  /** The source text changed, and nothing was sent for this translation. */
  | 'change-source'
export type TranslationAct = Writing | Judging

/** Where `act` leads. Nothing can be said of a text that is missing: it stays missing. */
export function nextTranslationStatus(status: TranslationStatus, act: Writing): StoredTranslationStatus
export function nextTranslationStatus(status: StoredTranslationStatus, act: TranslationAct): StoredTranslationStatus
export function nextTranslationStatus(status: TranslationStatus, act: TranslationAct): TranslationStatus
export function nextTranslationStatus(status: TranslationStatus, act: TranslationAct): TranslationStatus {
  if (act === 'send') return 'ok'
  if (act === 'save' || act === 'send-with-source' || act === 'send-broken') return 'review'
  if (status === 'missing') return 'missing'
  return act === 'approve' ? 'ok' : 'review'
}
