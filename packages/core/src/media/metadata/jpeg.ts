import { EXIF_HEAD, orientationAlone } from './exif.ts'
import { bytesOf, hasText, joined, MOST_PARTS, Pieces, type Plan, type Read } from './pieces.ts'

const [SCAN, END, COMMENT] = [0xda, 0xd9, 0xfe]
/** The segments of applications: APP0 to APP15. */
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef]
const EXIF = 'Exif\0\0'
const WINDOW = 65_536

/**
 * Keeps what draws the picture: JFIF, the colour profile, Adobe's note on colours, tables and scans. Metadata of every other
 * application go, and what follows the end: a film, or further pictures with metadata of their own.
 */
export async function planJpeg(read: Read, size: number): Plan {
  const pieces = new Pieces()
  pieces.keep(0, 2)
  for (let at = 2, parts = 0; parts < MOST_PARTS; parts++) {
    const head = await read(at, 4)
    const [mark, kind = 0] = head
    if (mark !== 0xff) return undefined
    if (kind === 0xff) {
      // Markers may be filled up in front.
      pieces.keep(at, ++at)
      continue
    }
    if (kind === END) {
      pieces.keep(at, at + 2)
      if (at + 2 < size) pieces.drop()
      return pieces.isChanged ? pieces.list : undefined
    }
    const end = at + 2 + ((head[2] ?? 0) << 8) + (head[3] ?? 0)
    if (head.length < 4 || end < at + 4 || end > size) return undefined
    const next = kind === SCAN ? await findMarker(read, end, size) : end
    // A file that breaks off in its last scan is shown as far as it goes.
    if (next === undefined) return keepRest(pieces, at, size)
    if (isKept(kind, await read(at + 4, 12))) pieces.keep(at, next)
    else pieces.drop(kind === APP1 ? await turned(read, at + 4, end) : undefined)
    at = next
  }
  return undefined
}

function keepRest(pieces: Pieces, from: number, size: number) {
  pieces.keep(from, size)
  return pieces.isChanged ? pieces.list : undefined
}

function isKept(kind: number, begin: Uint8Array): boolean {
  if (kind === APP0) return hasText(begin, 0, 'JFIF\0')
  if (kind === APP2) return hasText(begin, 0, 'ICC_PROFILE\0')
  return kind === APP14 || (kind !== COMMENT && !(kind >= APP1 && kind <= APP15))
}

/** A segment with how the picture is turned, in place of one that said so among other things. */
async function turned(read: Read, from: number, to: number): Promise<Uint8Array | undefined> {
  const content = await read(from, Math.min(to - from, EXIF_HEAD))
  const alone = hasText(content, 0, EXIF) ? orientationAlone(content.subarray(EXIF.length)) : undefined
  return alone && joined(Uint8Array.of(0xff, APP1, 0, 2 + EXIF.length + alone.length), bytesOf(EXIF), alone)
}

/** The first marker behind the pixels from `at`: there, 0xff is followed by 0 or stands before a restart. */
async function findMarker(read: Read, at: number, size: number): Promise<number | undefined> {
  for (let from = at; from + 1 < size;) {
    const window = await read(from, WINDOW)
    if (window.length < 2) return undefined
    for (let i = window.indexOf(0xff); i >= 0 && i + 1 < window.length; i = window.indexOf(0xff, i + 1)) {
      const next = window[i + 1] ?? 0
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return from + i
    }
    // The last byte is looked at with the one behind it.
    from += window.length - 1
  }
  return undefined
}
