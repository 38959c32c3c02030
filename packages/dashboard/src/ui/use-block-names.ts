import type { BlockType } from '@contentflow/server/wire.ts'
import { useRead } from '../data.ts'

/** The names of block types, by key: of the first 200, as every list reads them. */
export function useBlockNames(): ReadonlyMap<string, string> {
  const { data } = useRead<{ blocks: BlockType[] }>('/blocks', { limit: 200 })
  return new Map((data?.blocks ?? []).map(({ key, name }) => [key, name]))
}
