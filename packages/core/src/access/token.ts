/** Tokens of service accounts as text: `cft_<workspace>_<43 characters><6 of a checksum>`, so that a typo is refused without a look-up. */

const TOKEN = /^(cft_([\w-]{1,64})_[\w-]{43})([0-9A-Za-z]{6})$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `secret`: 32 bytes in base64url. */
export function tokenText(workspaceId: string, secret: string): string {
  const text = `cft_${workspaceId}_${secret}`
  return text + checksum(text)
}

export function isTokenText(text: string): boolean {
  return text.startsWith('cft_')
}

/** The workspace of a token; undefined for what is none or was misspelt. */
export function workspaceOfToken(text: string): string | undefined {
  const [, signed, workspaceId, sum] = TOKEN.exec(text) ?? []
  return signed !== undefined && checksum(signed) === sum ? workspaceId : undefined
}

/** CRC-32 (IEEE) of an ASCII text in base 62. */
function checksum(text: string): string {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = (crc ^ 0xffffffff) >>> 0
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
