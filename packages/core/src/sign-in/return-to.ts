const LONGEST = 2_000

/** Where somebody goes after signing in: a page of this server, else its first one. No text may lead elsewhere. */
export function readReturnTo(text: string | undefined): string {
  if (text === undefined || text.length > LONGEST || !/^\/[\x21-\x7e]*$/.test(text)) return '/'
  const path = text.split(/[?#]/, 1)[0] ?? ''
  // What is not a page is no place to go to; `//` and `\` begin the address of another server, also behind a dot.
  if (text.includes('\\') || path.includes('//') || /\/\.{1,2}(?:\/|$)/.test(path) || /^\/api(?:\/|$)/.test(path)) return '/'
  return text
}
