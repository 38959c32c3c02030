import { MOST_SIGHTS } from './limits.ts'
import type { Block } from './types.ts'

/** Tells whether a block is seen for the first time in a view. A new version of its content counts anew. */
export function createViews(): (block: Block, view: string) => boolean {
  const sights = new Set<string>()
  return ({ instanceId, version }, view) => {
    if (sights.size > MOST_SIGHTS) sights.clear()
    return sights.size < sights.add(JSON.stringify([view, instanceId, version])).size
  }
}
