/** What a picture without its metadata is made of: parts of the file as it was, and bytes in place of others. */
export type Piece = { from: number; to: number } | Uint8Array
/** Bytes of the file from `at`; fewer where it ends. */
export type Read = (at: number, length: number) => Promise<Uint8Array>
/** Undefined: there is nothing to take out, or the file is not built as its type says. */
export type Plan = Promise<Piece[] | undefined>

/** Parts of a file beyond which it is no picture that somebody took or drew. */
export const MOST_PARTS = 200_000

/** Gathers pieces; neighbours become one. */
export class Pieces {
  readonly list: Piece[] = []
  isChanged = false

  keep(from: number, to: number): void {
    const last = this.list.at(-1)
    if (last && !(last instanceof Uint8Array) && last.to === from) last.to = to
    else if (to > from) this.list.push({ from, to })
  }

  /** What stood there is left out. */
  drop(instead?: Uint8Array): void {
    this.isChanged = true
    if (instead) this.list.push(instead)
  }

  get size(): number {
    return this.list.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : piece.to - piece.from), 0)
  }
}

export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return textAt(bytes, at, text.length) === text
}

export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
