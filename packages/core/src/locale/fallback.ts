import { foldTag } from './language-tag.ts'
import { localeChain } from './pick-locale.ts'

/** Where the texts of an answer come from: translations nearest first, then the source text. */
export type Fallback = {
  /** The workspace locale that answers, or the source language. */
  served: string
  /** Workspace locales whose translations are tried, as the workspace spells them. */
  chain: readonly string[]
}

/**
 * C89: the exact tag, then its parents, never a sibling. The source language ends the chain, because there the source
 * text is the text (G-42). `locales` are the workspace's codes by their lower case.
 */
export function fallbackFor(tag: string, locales: ReadonlyMap<string, string>, sourceLocale: string): Fallback {
  const source = foldTag(sourceLocale)
  const chain: string[] = []
  for (const candidate of localeChain(tag)) {
    if (candidate === source) break
    const code = locales.get(candidate)
    if (code !== undefined) chain.push(code)
  }
  return { served: chain[0] ?? locales.get(source) ?? sourceLocale, chain }
}
