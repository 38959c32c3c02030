import { EXIF_HEAD, orientationAlone } from './exif.ts'
import { bytesOf, hasText, joined, MOST_PARTS, Pieces, textAt, viewOf, type Plan, type Read } from './pieces.ts'

const HEAD = 12
/** What an extended file says it has. */
const [HAS_XMP, HAS_EXIF] = [0x04, 0x08]

export async function planWebp(read: Read, size: number): Plan {
  const pieces = new Pieces()
  const whole = 8 + viewOf(await read(4, 4)).getUint32(0, true)
  if (whole > size) return undefined
  if (whole < size) pieces.drop()
  let extended: Uint8Array | undefined
  let exif: Uint8Array | undefined
  for (let at = HEAD, parts = 0; at < whole; parts++) {
    const head = await read(at, 8)
    if (head.length < 8 || parts > MOST_PARTS) return undefined
    const type = textAt(head, 0, 4)
    const length = viewOf(head).getUint32(4, true)
    const end = at + 8 + length + (length % 2)
    if (end > whole) return undefined
    if (type === 'VP8X' && parts === 0) extended = Uint8Array.from(await read(at, end - at))
    else if (type === 'EXIF') {
      exif ??= await turned(read, at + 8, at + 8 + length)
      pieces.drop()
    } else if (type === 'XMP ') pieces.drop()
    else pieces.keep(at, end)
    at = end
  }
  if (!pieces.isChanged) return undefined
  if (extended) extended[8] = ((extended[8] ?? 0) & ~(HAS_XMP | HAS_EXIF)) | (exif ? HAS_EXIF : 0)
  const kept = extended ? [extended] : []
  const last = exif && extended ? [exif] : []
  const total = [...kept, ...last].reduce((sum, { length }) => sum + length, pieces.size) + 4
  return [joined(bytesOf('RIFF'), word(total), bytesOf('WEBP')), ...kept, ...pieces.list, ...last]
}

async function turned(read: Read, from: number, to: number): Promise<Uint8Array | undefined> {
  const content = await read(from, Math.min(to - from, EXIF_HEAD))
  // Some writers begin it as in a JPEG.
  const alone = orientationAlone(hasText(content, 0, 'Exif\0\0') ? content.subarray(6) : content)
  return alone && joined(bytesOf('EXIF'), word(alone.length), alone)
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, value, true)
  return bytes
}
