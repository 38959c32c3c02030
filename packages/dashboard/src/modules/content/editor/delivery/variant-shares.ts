import type { InstanceContent, Variant } from '@contentflow/core/blocks/instance.ts'

/** The shares of the devices, each between 0 and 1. */
export function sharesOf(variants: readonly Pick<Variant, 'weight'>[]): number[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0)
  return variants.map(({ weight }) => (total === 0 ? 0 : weight / total))
}

/** Whole weights that sum up to 100; the first ones take the remainder. */
export function evenWeights(ids: readonly string[]): Pick<Variant, 'id' | 'weight'>[] {
  const each = Math.floor(100 / ids.length)
  const rest = 100 - each * ids.length
  return ids.map((id, index) => ({ id, weight: each + (index < rest ? 1 : 0) }))
}

/** `A`, `B`, … and numbers when the letters are used up. */
export function freeName(taken: readonly string[]): string {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index))
  return letters.find((letter) => !taken.includes(letter)) ?? `V${taken.length + 1}`
}

export function renamedVariant(content: InstanceContent, index: number, id: string): InstanceContent {
  return { ...content, variants: content.variants.map((each, other) => (other === index ? { ...each, id } : each)) }
}
