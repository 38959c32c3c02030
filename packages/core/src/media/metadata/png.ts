import { EXIF_HEAD, orientationAlone } from './exif.ts'
import { bytesOf, joined, MOST_PARTS, Pieces, textAt, viewOf, type Plan, type Read } from './pieces.ts'

/** Texts, the moment of the last change, EXIF, and who made it with what. Colour profiles are other chunks. */
const METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'caBX'])
const SIGNATURE = 8

export async function planPng(read: Read, size: number): Plan {
  const pieces = new Pieces()
  pieces.keep(0, SIGNATURE)
  for (let at = SIGNATURE, parts = 0; parts < MOST_PARTS; parts++) {
    const head = await read(at, 8)
    if (head.length < 8) return undefined
    const type = textAt(head, 4, 4)
    const end = at + 12 + viewOf(head).getUint32(0)
    if (end > size) return undefined
    if (METADATA.has(type)) pieces.drop(type === 'eXIf' ? await turned(read, at + 8, end - 4) : undefined)
    else pieces.keep(at, end)
    if (type === 'IEND') {
      if (end < size) pieces.drop()
      return pieces.isChanged ? pieces.list : undefined
    }
    at = end
  }
  return undefined
}

async function turned(read: Read, from: number, to: number): Promise<Uint8Array | undefined> {
  const alone = orientationAlone(await read(from, Math.min(to - from, EXIF_HEAD)))
  if (!alone) return undefined
  const named = joined(bytesOf('eXIf'), alone)
  return joined(word(alone.length), named, word(checksum(named)))
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, value)
  return bytes
}

/** CRC-32, as chunks end with it. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
