import type { Json } from '../blocks/field.ts'

/** Parts are kept as text: a build number may be longer than a number is exact. */
export type Version = { numbers: readonly string[]; preRelease: readonly string[] }

const VERSION = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/

/** C-SEG-36, G-81: dotted numbers with an optional leading `v` and an optional pre-release such as `-beta.2`; a number is read as its text. */
export function parseVersion(value: Json | undefined): Version | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const match = VERSION.exec(String(value))
  return match?.[1] === undefined ? undefined : { numbers: match[1].split('.'), preRelease: match[2]?.split('.') ?? [] }
}

/** Part by part, missing parts being 0; a pre-release is lower than the same version without it. Below 0 when `a` is lower. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); i++) {
    const difference = compareDigits(a.numbers[i] ?? '0', b.numbers[i] ?? '0')
    if (difference !== 0) return difference
  }
  return comparePreReleases(a.preRelease, b.preRelease)
}

/** As Semantic Versioning orders them: numbers by size and below words, words by character, the longer list above its beginning. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (const [i, part] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    const difference = compareIdentifiers(part, other)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  const isNumber = /^\d+$/
  if (isNumber.test(a) && isNumber.test(b)) return compareDigits(a, b)
  if (isNumber.test(a) !== isNumber.test(b)) return isNumber.test(a) ? -1 : 1
  return compareText(a, b)
}

function compareDigits(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  return left.length - right.length || compareText(left, right)
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
