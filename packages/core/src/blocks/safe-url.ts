/**
 * Which link and image addresses may be stored. The check is on the text itself, after refusing every
 * character a lenient parser would skip (control characters, blanks at the ends, backslashes), so what
 * is stored is what a client will open.
 */

/** Schemes that run code, read local files or leave the secure web. */
const UNSAFE_SCHEMES = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'filesystem',
  'view-source',
  'about',
  'jar',
  'content',
  'intent',
  'http',
  'ftp',
  'ws',
  'wss',
  'ms-appx',
  'res',
])

/** C-BLK-36 to C-BLK-41: an https link, `mailto:`, `tel:`, an app deep link, or an in-app path. */
export function urlFault(text: string): string | undefined {
  if (hasHiddenCharacters(text)) return 'must not contain blanks at its ends or control characters'
  if (text.startsWith('/')) return isPath(text) ? undefined : 'must be a path such as /offers/3'
  const scheme = schemeOf(text)
  if (scheme === undefined) return 'must be an https link, mailto:, tel:, an app link such as myapp://offers, or a path such as /offers'
  if (UNSAFE_SCHEMES.has(scheme)) return `must not use ${scheme}: links`
  if (scheme === 'https') return hasHost(text, 'https://') ? undefined : 'must be a complete https link'
  return text.length > scheme.length + 1 ? undefined : `must say where the ${scheme}: link leads`
}

/** C-BLK-31: the address of an asset. Plain http is allowed because a self-hosted asset store may have no certificate. */
export function imageFault(text: string): string | undefined {
  if (hasHiddenCharacters(text)) return 'must not contain blanks at its ends or control characters'
  if (text.startsWith('/')) return isPath(text) ? undefined : 'must be a complete link or a path'
  const lower = text.slice(0, 8).toLowerCase()
  const isWeb = hasHost(text, 'https://') || (lower.startsWith('http://') && hasHost(text, 'http://'))
  return isWeb ? undefined : 'must be an http(s) link or a path'
}

function hasHiddenCharacters(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters to refuse
  return text.trim() !== text || /[\u0000-\u001f\u007f\\]/.test(text)
}

/** `//host` and `/\host` are read as other hosts by browsers. */
function isPath(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//')
}

function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
}

function hasHost(text: string, prefix: string): boolean {
  if (text.slice(0, prefix.length).toLowerCase() !== prefix) return false
  return /^[^\s/?#@]+([/?#]|$)/.test(text.slice(prefix.length))
}
