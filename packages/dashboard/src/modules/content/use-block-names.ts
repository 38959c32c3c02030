import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages } from '../../data.ts'
import type { BlockType } from './api.ts'
import { useAll } from './use-all.ts'

/** What people call block types, by key. */
export function useBlockNames(): ReadonlyMap<string, string> {
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  return new Map(types.items.map(({ key, name }) => [key, name]))
}
