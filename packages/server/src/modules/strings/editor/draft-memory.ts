import { comparePlaceholders, readPlaceholders } from '@contentflow/core/strings/placeholders.ts'
import { bestMatch } from '@contentflow/core/strings/similarity.ts'
import type { Db } from '../../../db/open.ts'
import { listRemembered, type MemoryQuery } from './queries-memory.ts'

export type Proposal = {
  text: string
  /** `source`: no translation fits, so the draft is the source text with the locale before it (G-39). */
  draft: { source: 'memory' | 'source'; similarity: number | null; fromKey: string | null }
}

/** A service that proposes translations, one for each string that it is given. */
export type DraftingService = {
  propose(db: Db, workspaceId: string, locale: string, strings: readonly MemoryQuery[]): Promise<Map<string, Proposal>>
}

/** Proposes translations from the workspace itself: approved ones of the same or nearly the same text. */
export const translationMemory: DraftingService = {
  propose: async (db, workspaceId, locale, strings) => {
    const remembered = await listRemembered(db, workspaceId, locale, strings)
    return new Map(
      strings.map(({ key, sourceText }): [string, Proposal] => {
        const source = readPlaceholders(sourceText)
        const isFit = (text: string) => !comparePlaceholders(source, readPlaceholders(text), locale).some(({ isBreaking }) => isBreaking)
        const match = bestMatch(sourceText, remembered.get(key) ?? [], isFit)
        if (!match) return [key, { text: `[${locale}] ${sourceText}`, draft: { source: 'source', similarity: null, fromKey: null } }]
        const { text, similarity, fromKey } = match
        return [key, { text, draft: { source: 'memory', similarity, fromKey } }]
      }),
    )
  },
}
