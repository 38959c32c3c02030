/** What the documents say of a catalog, as a small model: a text is delivered exactly when it is approved. */
import type { TranslationStatus } from '@contentflow/core/strings/status.ts'

export type Act =
  | { kind: 'sync'; rows: { key: string; sourceText?: string; values?: Record<string, string> }[] }
  | { kind: 'disable'; key: string }
  | { kind: 'sensor'; key: string }
  | { kind: 'visibility'; key: string; isHidden: boolean }
  | { kind: 'source'; key: string; text: string }
  | { kind: 'save'; key: string; locale: string; text: string }
  | { kind: 'approve-text'; key: string; locale: string; text: string }
  | { kind: 'approve'; key: string; locale: string }
  | { kind: 'fault'; rows: { key: string; sourceText: string }[] }

type Text = { text: string; status: Exclude<TranslationStatus, 'missing'> }
type Entry = { sourceText: string; isHidden: boolean; isSensor: boolean; texts: Map<string, Text> }

/** Translations of `ar` and `ar-SA`; the source language is English. */
export class StringsModel {
  readonly entries = new Map<string, Entry>()

  /** The status the server answers. */
  apply(act: Act): number {
    if (act.kind === 'fault') return 200
    if (act.kind === 'sync') {
      const last = new Map(act.rows.map((row) => [row.key, row]))
      for (const row of last.values()) this.#sync(row)
      return 200
    }
    const entry = this.entries.get(act.key)
    if (act.kind === 'disable') {
      if (entry) entry.isSensor = false
      return 200
    }
    if (!entry) return 404
    return this.#edit(entry, act)
  }

  #edit(entry: Entry, act: Exclude<Act, { kind: 'sync' | 'fault' | 'disable' }>): number {
    if (act.kind === 'visibility') entry.isHidden = act.isHidden
    else if (act.kind === 'sensor') entry.isSensor = true
    else if (act.kind === 'source') this.#changeSource(entry, act.text)
    else if (act.kind === 'save') entry.texts.set(act.locale, { text: act.text, status: 'review' })
    else if (act.kind === 'approve-text') entry.texts.set(act.locale, { text: act.text, status: 'ok' })
    else {
      const text = entry.texts.get(act.locale)
      if (!text) return 409
      text.status = 'ok'
    }
    return 200
  }

  #sync({ key, sourceText, values = {} }: { key: string; sourceText?: string; values?: Record<string, string> }): void {
    const sentSource = sourceText || values['en'] || undefined
    const known = this.entries.get(key)
    if (!known && sentSource === undefined) return
    const entry: Entry = known ?? { sourceText: sentSource ?? '', isHidden: false, isSensor: false, texts: new Map() }
    this.entries.set(key, entry)
    const isChanged = known !== undefined && sentSource !== undefined && known.sourceText !== sentSource
    if (isChanged) this.#changeSource(entry, sentSource)
    for (const [locale, text] of Object.entries(values)) {
      if (locale === 'en' || text === '' || entry.texts.get(locale)?.text === text) continue
      entry.texts.set(locale, { text, status: isChanged ? 'review' : 'ok' })
    }
  }

  #changeSource(entry: Entry, text: string): void {
    if (text === entry.sourceText) return
    entry.sourceText = text
    for (const each of entry.texts.values()) each.status = 'review'
  }

  /** The three lists of GET /strings in a locale. */
  catalog(chain: readonly string[]) {
    const strings: Record<string, string> = {}
    const [smartKeys, withheldKeys]: [string[], string[]] = [[], []]
    for (const [key, entry] of [...this.entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (entry.isHidden) continue
      const approved = chain.map((locale) => entry.texts.get(locale)).find((text) => text?.status === 'ok')
      strings[key] = approved?.text ?? entry.sourceText
      if (entry.isSensor) smartKeys.push(key)
      if (!approved && chain.some((locale) => entry.texts.has(locale))) withheldKeys.push(key)
    }
    return { strings, smartKeys, withheldKeys }
  }
}
