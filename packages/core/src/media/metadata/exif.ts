/** EXIF holds where, when and with what a picture was taken, and how it is turned: only the last is kept. */
import { viewOf } from './pieces.ts'

const ORIENTATION = 0x0112
/** As the pixels are stored. */
const UPRIGHT = 1
/** More than cameras write before the table of the picture itself. */
export const EXIF_HEAD = 65_536

/** 1 to 8, of a block that begins with its byte order; 1 also where it says nothing, or nothing that can be. */
function orientationIn(tiff: Uint8Array): number {
  const view = viewOf(tiff)
  if (tiff.length < 14) return UPRIGHT
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return UPRIGHT
  const isLittle = order === 0x4949
  const table = view.getUint32(4, isLittle)
  if (table + 2 > tiff.length) return UPRIGHT
  const entries = view.getUint16(table, isLittle)
  for (let i = 0, at = table + 2; i < entries && at + 12 <= tiff.length; i++, at += 12) {
    if (view.getUint16(at, isLittle) !== ORIENTATION) continue
    const value = view.getUint16(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : UPRIGHT
  }
  return UPRIGHT
}

/** The block with how the picture is turned and nothing else; undefined where it is upright, which needs none. */
export function orientationAlone(tiff: Uint8Array): Uint8Array | undefined {
  const orientation = orientationIn(tiff)
  if (orientation === UPRIGHT) return undefined
  // Byte order, 42, where the table is; one entry: tag, a short, one of it, its value; no further table.
  return Uint8Array.of(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0)
}
