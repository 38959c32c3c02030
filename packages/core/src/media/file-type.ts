/** What a file is, by the type it is declared as and by its first bytes. */

/** How many of the first bytes tell the type. */
export const HEAD_BYTES = 4_096

export type FileKind = 'image' | 'video' | 'audio' | 'other'
/** `isShown`: a browser may draw it in place; everything else is given out as a download. */
type FileType = { fits(head: Uint8Array): boolean; isShown?: true }

const TYPES: Record<string, FileType> = {
  'image/png': { fits: startsWith('\x89PNG\r\n\x1a\n'), isShown: true },
  'image/jpeg': { fits: startsWith('\xff\xd8\xff'), isShown: true },
  'image/gif': { fits: startsWith('GIF87a', 'GIF89a'), isShown: true },
  'image/webp': { fits: isRiff('WEBP'), isShown: true },
  'image/avif': { fits: hasBrand(/^avi[fs]/), isShown: true },
  'image/svg+xml': { fits: isSvg },
  'video/mp4': { fits: hasBrand(/^(isom|iso\d|mp4\d|avc1|M4V |MSNV|dash|f4v )/) },
  'video/quicktime': { fits: hasBrand(/^qt {2}/) },
  'video/webm': { fits: startsWith('\x1aE\xdf\xa3') },
  'audio/mpeg': { fits: isMp3 },
  'audio/mp4': { fits: hasBrand(/^(M4A |M4B |isom|iso\d|mp4\d)/) },
  'audio/ogg': { fits: startsWith('OggS') },
  'audio/wav': { fits: isRiff('WAVE') },
  'application/pdf': { fits: startsWith('%PDF-') },
  'application/zip': { fits: startsWith('PK\x03\x04', 'PK\x05\x06') },
  'font/woff': { fits: startsWith('wOFF') },
  'font/woff2': { fits: startsWith('wOF2') },
  'application/json': { fits: (head) => isPlainText(head) && /^\uFEFF?\s*[[{]/.test(textOf(head)) },
  'text/plain': { fits: isPlainText },
  'text/csv': { fits: isPlainText },
  // Whatever it is: it is never shown, so nothing depends on it.
  'application/octet-stream': { fits: () => true },
}

const OTHER_NAMES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'application/x-zip-compressed': 'application/zip',
}

export const FILE_TYPES: readonly string[] = Object.keys(TYPES)

/** The declared type as it is stored; undefined when files of that type are not taken. */
export function readFileType(declared: string): string | undefined {
  const [name = ''] = declared.toLowerCase().split(';', 1)
  const plain = OTHER_NAMES[name.trim()] ?? name.trim()
  return Object.hasOwn(TYPES, plain) ? plain : undefined
}

/** Whether a file that begins like this is what it is declared as. */
export function fitsType(type: string, head: Uint8Array): boolean {
  return TYPES[type]?.fits(head) ?? false
}

export function isShownInline(type: string): boolean {
  return TYPES[type]?.isShown ?? false
}

export function kindOf(type: string): FileKind {
  const [kind] = type.split('/', 1)
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'other'
}

function textOf(head: Uint8Array): string {
  let text = ''
  for (const byte of head.subarray(0, HEAD_BYTES)) text += String.fromCharCode(byte)
  return text.replace(/^\xef\xbb\xbf/, '')
}

function startsWith(...signatures: string[]) {
  return (head: Uint8Array) => signatures.some((signature) => hasAt(head, 0, signature))
}

function hasAt(head: Uint8Array, at: number, signature: string): boolean {
  return head.length >= at + signature.length && Array.from(signature).every((each, i) => head[at + i] === each.charCodeAt(0))
}

function isRiff(form: string) {
  return (head: Uint8Array) => hasAt(head, 0, 'RIFF') && hasAt(head, 8, form)
}

/** ISO/IEC 14496-12: a box `ftyp` with the major brand comes first. */
function hasBrand(brand: RegExp) {
  return (head: Uint8Array) => hasAt(head, 4, 'ftyp') && brand.test(textOf(head.subarray(8, 12)))
}

/** A tag before the sound, or the eleven set bits that begin each frame. */
function isMp3(head: Uint8Array): boolean {
  return hasAt(head, 0, 'ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)
}

function isSvg(head: Uint8Array): boolean {
  let text = textOf(head).trimStart()
  for (const [open, close] of [
    ['<?xml', '?>'],
    ['<!--', '-->'],
    ['<!DOCTYPE', '>'],
    ['<!--', '-->'],
  ] as const) {
    while (text.slice(0, open.length).toUpperCase() === open.toUpperCase()) {
      const end = text.indexOf(close, open.length)
      if (end === -1) return false
      text = text.slice(end + close.length).trimStart()
    }
  }
  return /^<svg[\s>]/.test(text)
}

/** Text without markup at its beginning, which some readers would take for a page. */
function isPlainText(head: Uint8Array): boolean {
  const text = textOf(head)
  // eslint-disable-next-line no-control-regex -- these are the bytes that no text has
  return !/[\x00-\x08\x0e-\x1f\x7f]/.test(text) && !/^\s*<[!?a-z]/i.test(text)
}
