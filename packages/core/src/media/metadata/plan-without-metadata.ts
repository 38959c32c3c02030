/** Where a picture was taken, when, by whom and with what is nobody's business who is shown it. */
import { planJpeg } from './jpeg.ts'
import type { Plan, Read } from './pieces.ts'
import { planPng } from './png.ts'
import { planWebp } from './webp.ts'

const PLANS = new Map<string, (read: Read, size: number) => Plan>([
  ['image/jpeg', planJpeg],
  ['image/png', planPng],
  ['image/webp', planWebp],
])

/**
 * The pieces of the file without metadata: no pixel is another, and how it is turned and its colour profile stay. Undefined: it
 * stays as it is, to the byte.
 */
export async function planWithoutMetadata(type: string, read: Read, size: number): Plan {
  return PLANS.get(type)?.(read, size)
}
