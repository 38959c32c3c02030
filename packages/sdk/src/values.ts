/** Reading values of a block by tag; whatever is not of the wanted kind is as if it were missing. */
import type { TagOf } from './typed.ts'
import type { Block } from './types.ts'

/** A text, an image address, a link or a chosen option; '' without a value. */
export function textOf<B extends Block>(block: B, tag: TagOf<B>): string {
  const value = (block as Block).values[tag]
  return typeof value === 'string' ? value : ''
}

export function numberOf<B extends Block>(block: B, tag: TagOf<B>): number | undefined {
  const value = (block as Block).values[tag]
  return typeof value === 'number' ? value : undefined
}

/** false without a value. */
export function toggleOf<B extends Block>(block: B, tag: TagOf<B>): boolean {
  return (block as Block).values[tag] === true
}

/** The blocks of a collection, in order. Lists hold nothing else. */
export function blocksOf<B extends Block>(block: B, tag: TagOf<B>): readonly Block[] {
  const value = (block as Block).values[tag]
  return Array.isArray(value) ? (value as readonly Block[]) : []
}
