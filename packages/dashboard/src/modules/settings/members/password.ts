/** Without letters and digits that are easily confused (0 and O, 1, l and I). */
const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/**
 * A first password, in groups that can be read out: 20 characters of 57, about 116 bits. `bytes` are random;
 * those that would make some letters likelier than others are left out.
 */
export function makePassword(bytes: Iterable<number>): string {
  const fair = 256 - (256 % ALPHABET.length)
  let text = ''
  for (const byte of bytes) {
    if (text.length === LENGTH) break
    if (byte < fair) text += ALPHABET[byte % ALPHABET.length]
  }
  if (text.length < LENGTH) throw new Error('not enough random bytes')
  return text.match(/.{5}/g)?.join('-') ?? text
}

export function randomPassword(): string {
  // 256 bytes: that more than 236 of them are left out does not happen.
  return makePassword(crypto.getRandomValues(new Uint8Array(256)))
}
