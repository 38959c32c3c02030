import type { OpenFile } from './open-file.ts'

/** Where the columns of an import stand in a file; -1 for one that the file does not have. */
export function placesOf(headers: readonly string[], { shape }: Pick<OpenFile, 'shape'>): number[] {
  return headers.map((name) => shape.header.indexOf(name))
}
