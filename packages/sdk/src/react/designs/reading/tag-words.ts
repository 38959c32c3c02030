/** A tag as lower-case words: `#titleMain`, `#title_main` and `title-main` are all `title main`. */
export function wordsOf(tag: string): string[] {
  return tag
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** `last_pieces` as people read it: `Last pieces`. */
export function humanize(code: string): string {
  const text = wordsOf(code).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const LINK_NOISE = new Set(['url', 'link', 'href', 'uri', 'deeplink', 'target', 'destination', 'label', 'text', 'title', 'button', 'btn'])

/** The common part of the tags of a link and its button's text: `cta` for `#cta_url` and `#cta_label`. */
export function linkStem(tag: string): string {
  return wordsOf(tag)
    .filter((word) => !LINK_NOISE.has(word))
    .join('_')
}
