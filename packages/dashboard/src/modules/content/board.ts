/** Arranges the block types of a workspace by screen. */
import type { BlockType, Summary, TypeCounts } from './api.ts'

/** How many instances of a type are shown before the rest is asked for. */
const SHOWN = 6
/** One more than is shown, because the rest is only hidden when it is more than one. */
export const READ_FIRST = SHOWN + 1

export type Group = { type: BlockType; counts: TypeCounts }
/** `live`: instances that live keys get. */
export type Column = { screen: string; groups: Group[]; live: number }

/** Every number is the server's: what is loaded is only ever a beginning. */
export function arrangeBoard(types: readonly BlockType[], counts: readonly TypeCounts[]): Column[] {
  const byKey = new Map(counts.map((each) => [each.blockKey, each]))
  const columns = Map.groupBy(
    types.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    ({ screen }) => screen,
  )
  return [...columns]
    .toSorted(([a], [b]) => compareScreens(a, b))
    .map(([screen, ofScreen]) => {
      // A type that is newer than the counts is shown once it is counted.
      const groups = ofScreen.flatMap((type) => {
        const found = byKey.get(type.key)
        return found ? [{ type, counts: found }] : []
      })
      return { screen, groups, live: groups.reduce((sum, group) => sum + group.counts.live, 0) }
    })
}

/** Sorts by name; types without a screen come last. */
function compareScreens(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
  return a < b ? -1 : 1
}

/** How many of what is loaded are shown, of all that there are. */
export function shownOf(loaded: readonly Summary[], total: number, isOpen: boolean): readonly Summary[] {
  return isOpen || total <= READ_FIRST ? loaded : loaded.slice(0, SHOWN)
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
