import { LIMITS } from '../limits.ts'

/** Types whose pictures are made smaller. */
const SCALED = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

/** The width a picture is made in for who asks for `wanted` pixels: whole steps upwards. Undefined: it is sent as it is, because it is no wider. */
export function widthFor(wanted: number, picture: { mimeType: string; width: number | null; isAnimated: boolean }): number | undefined {
  if (!SCALED.has(picture.mimeType) || picture.width === null || picture.isAnimated) return undefined
  const { step, max } = LIMITS.pictureWidth
  const width = Math.min(Math.max(Math.ceil(wanted / step), 1) * step, max)
  return width < picture.width ? width : undefined
}

/** What is wrong with the size a picture says it has; it is read from its head, before anything is unpacked. */
export function pictureFault({ width, height }: { width: number; height: number }): string | undefined {
  if (width < 1 || height < 1) return 'The picture has no size'
  if (width * height <= LIMITS.picturePixels) return undefined
  return `The picture has ${width} × ${height} pixels; at most ${LIMITS.picturePixels / 1_000_000} million are taken`
}

/** Where a file of the library is read, without the server it is on; a value that holds it uses the file. */
export function rawPath(contentId: string): string {
  return `/api/v1/content/${contentId}/raw`
}

/** The files of the library that a text names by such addresses, each once. */
export function contentIdsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\/api\/v1\/content\/([\w-]{1,60})\/raw/g)].map(([, id = '']) => id))]
}
