/**
 * Which link and image addresses may be stored. The check is on the text itself, after refusing every
 * character a lenient parser would skip (control characters, blanks at the ends, backslashes), so what
 * is stored is what a client will open.
 */

/**
 * Schemes that no content may lead to: they run code, read local files, leave the secure web, show pages of the browser itself, or
 * hand the rest of the link to a program of the system that was never meant to be called by strangers.
 */
const UNSAFE_SCHEMES = new Set(
  [
    // Run code, or are a document of their own.
    ['javascript', 'data', 'vbscript', 'livescript', 'mhtml'],
    // Local files, and what stands for them.
    ['file', 'blob', 'filesystem', 'content', 'jar', 'res', 'resource', 'mk', 'its'],
    // Pages of browsers, which may change settings.
    ['about', 'view-source', 'wyciwyg', 'chrome', 'chrome-extension', 'devtools', 'edge', 'microsoft-edge', 'moz-extension'],
    // Other protocols than the web's, without encryption or with somebody's password.
    ['http', 'ftp', 'ftps', 'sftp', 'ws', 'wss', 'gopher', 'telnet', 'ssh', 'rlogin', 'ldap', 'ldaps', 'smb', 'afp', 'nfs', 'vnc', 'rdp'],
    // Android reads a whole command out of them.
    ['intent', 'android-app'],
    // Programs of Windows and macOS that strangers have run code through, and what installs apps past a store.
    ['search-ms', 'shell', 'hcp', 'wsl', 'onenote-cmd', 'applescript', 'x-man-page', 'x-help-script', 'itms-services'],
    ['vscode', 'vscode-insiders'],
  ].flat(),
)
/** Families of them: Office and the tools of Windows, helpers and settings of Apple's systems. */
const UNSAFE_FAMILIES = ['ms-', 'x-apple', 'chrome-', 'vscode-']

/** C-BLK-36 to C-BLK-41: an https link, `mailto:`, `tel:`, an app deep link, or an in-app path. */
export function urlFault(text: string): string | undefined {
  if (hasHiddenCharacters(text)) return 'must not contain blanks at its ends or control characters'
  if (text.startsWith('/')) return isPath(text) ? undefined : 'must be a path such as /offers/3'
  const scheme = schemeOf(text)
  if (scheme === undefined) return 'must be an https link, mailto:, tel:, an app link such as myapp://offers, or a path such as /offers'
  if (isUnsafeScheme(scheme)) return `must not use ${scheme}: links`
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

/** A scheme in small letters. */
export function isUnsafeScheme(scheme: string): boolean {
  return UNSAFE_SCHEMES.has(scheme) || UNSAFE_FAMILIES.some((family) => scheme.startsWith(family))
}

/** In small letters; undefined where the text begins with none, as a path or a token does. */
export function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
}

function hasHost(text: string, prefix: string): boolean {
  if (text.slice(0, prefix.length).toLowerCase() !== prefix) return false
  return /^[^\s/?#@]+([/?#]|$)/.test(text.slice(prefix.length))
}
