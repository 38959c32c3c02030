/** The form of short links: `/s/{slug}/{code}` under the address of the server. */

export const SHORT_ROOT = '/s/'
/** Letters of both cases and digits. */
export const [SLUG_LENGTH, CODE_LENGTH] = [4, 7] as const

const SHORT_PATH = /^\/s\/([0-9A-Za-z]{4})\/([0-9A-Za-z]{7})$/

/** Undefined: no short link looks so. `path`: without what stands behind a `?`. */
export function readShortPath(path: string): { slug: string; code: string } | undefined {
  const [, slug, code] = SHORT_PATH.exec(path) ?? []
  return slug === undefined || code === undefined ? undefined : { slug, code }
}

/** As long as every short link is: for whoever counts the parts of a text message before it is sent. */
export function sampleShortLink(address: string): string {
  return `${address}${SHORT_ROOT}${'a'.repeat(SLUG_LENGTH)}/${'1'.repeat(CODE_LENGTH)}`
}

/** Whether links of text messages of this content are shortened: in every language when one says so. */
export function isShortened(content: { readonly [locale: string]: { shorten?: boolean } }): boolean {
  return Object.values(content).some(({ shorten }) => shorten)
}
