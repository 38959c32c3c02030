/** Reading values of a block by tag; whatever is not of the wanted kind is as if it were missing. */
import type { Block } from './types.ts'

/** A text, an image address, a link or a chosen option; '' when there is none. */
export function textOf(block: Block, tag: string): string {
  const value = block.values[tag]
  return typeof value === 'string' ? value : ''
}

export function numberOf(block: Block, tag: string): number | undefined {
  const value = block.values[tag]
  return typeof value === 'number' ? value : undefined
}

/** false when there is none. */
export function toggleOf(block: Block, tag: string): boolean {
  return block.values[tag] === true
}

/** The blocks of a collection, in order. Lists hold nothing else. */
export function blocksOf(block: Block, tag: string): readonly Block[] {
  const value = block.values[tag]
  return Array.isArray(value) ? (value as readonly Block[]) : []
}
