/** A text message, and how long it is for whoever pays for it: its alphabet, and the parts it is cut into (3GPP TS 23.038). */
import type { Message } from '../channels/channel.ts'

/** One text: the title first, the link last. */
export function textOfMessage({ title, body, button }: Pick<Message, 'title' | 'body' | 'button'>): string {
  return [title, body, button?.url].filter((part) => part !== undefined && part !== '').join('\n')
}

/** One code each in the default alphabet. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Two codes each. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** What one message holds, and what each part of several holds: the rest says how they belong together. */
const ROOM = { gsm7: { one: 160, part: 153 }, ucs2: { one: 70, part: 67 } } as const

export type TextMessageLength = {
  alphabet: keyof typeof ROOM
  /** Codes of the alphabet. */
  length: number
  parts: number
  /** Codes that still fit into the last part. */
  left: number
  /** The first sign that the default alphabet does not have. */
  because?: string
}

export function textMessageLength(text: string): TextMessageLength {
  const signs = Array.from(text)
  const because = signs.find((sign) => !BASIC.has(sign) && !EXTENDED.has(sign))
  const alphabet = because === undefined ? 'gsm7' : 'ucs2'
  const widths = signs.map((sign) => (alphabet === 'ucs2' ? sign.length : EXTENDED.has(sign) ? 2 : 1))
  const length = widths.reduce((sum, width) => sum + width, 0)
  const { one, part } = ROOM[alphabet]
  const told = { alphabet, length, ...(because !== undefined && { because }) } as const
  if (length <= one) return { ...told, parts: length === 0 ? 0 : 1, left: one - length }
  const { parts, used } = fill(widths, part)
  return { ...told, parts, left: part - used }
}

/** A sign of two codes is never cut in half. */
function fill(widths: readonly number[], room: number): { parts: number; used: number } {
  let [parts, used] = [1, 0]
  for (const width of widths) {
    if (used + width > room) [parts, used] = [parts + 1, 0]
    used += width
  }
  return { parts, used }
}
