/** How the instances of a workspace stand on its screens. */
import type { BlockType, Summary } from './api.ts'

export type Group = {
  type: BlockType
  /** In the order of delivery. */
  instances: Summary[]
  /** False: more of them are still to be loaded, so their order cannot be set as a whole. */
  isComplete: boolean
}
export type Column = { screen: string; groups: Group[] }

/** Instances come by block key, so only the last key that was loaded may lack some. */
export function arrangeBoard(types: readonly BlockType[], instances: readonly Summary[], hasMore: boolean): Column[] {
  const byKey = Map.groupBy(instances, ({ blockKey }) => blockKey)
  const lastKey = instances.at(-1)?.blockKey ?? ''
  const columns = Map.groupBy(
    types.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    ({ screen }) => screen,
  )
  return [...columns]
    .toSorted(([a], [b]) => compareScreens(a, b))
    .map(([screen, ofScreen]) => ({
      screen,
      groups: ofScreen.map((type) => ({
        type,
        instances: byKey.get(type.key) ?? [],
        isComplete: !hasMore || type.key < lastKey,
      })),
    }))
}

/** By name; what belongs to no screen comes last. */
function compareScreens(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
  return a < b ? -1 : 1
}

/** `ids` with `moved` at the place of `target`, as dragging does it. */
export function moveTo(ids: readonly string[], moved: string, target: string): string[] {
  const to = ids.indexOf(target)
  const rest = ids.filter((id) => id !== moved)
  return to === -1 || rest.length === ids.length ? [...ids] : rest.toSpliced(to, 0, moved)
}

/** `items` in the order of `ids`; those that are not named stay behind them as they were. */
export function inOrder<T extends { id: string }>(items: readonly T[], ids: readonly string[]): T[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const named = ids.flatMap((id) => byId.get(id) ?? [])
  const names = new Set(ids)
  return [...named, ...items.filter(({ id }) => !names.has(id))]
}
