/** Finds the encoding of a text file. Spreadsheets of different systems use different ones and do not say which. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1256', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes that are looked at for the pattern of UTF-16. */
const LOOKED_AT = 4_096

/** A byte order mark decides; else valid UTF-8 is UTF-8; else the file is taken to come from an Arabic Windows, as most such files do. */
export function guessEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const seen = bytes.subarray(0, LOOKED_AT)
  const zeros = [0, 0]
  for (const [at, byte] of seen.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  // Separators and digits have a zero beside them in UTF-16, in Arabic text too.
  if (odd > seen.length / 20 && odd > even * 4) return 'utf-16le'
  if (even > seen.length / 20 && even > odd * 4) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1256'
}

/** The text without the byte order mark. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
