/** A segment and the segments whose members it leaves out (M-SEG-06), by id. */
export type Excluding = { id: string; excluded: readonly string[] }

/**
 * The segments with every one behind those it excludes, so that one pass can decide all of them; otherwise in their
 * own order. Ids that name no segment exclude nobody. Undefined when segments exclude each other in a circle.
 */
export function orderByExclusion<T extends Excluding>(segments: readonly T[]): T[] | undefined {
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  const ordered: T[] = []
  const states = new Map<string, 'open' | 'done'>()
  const visit = (segment: T): boolean => {
    const state = states.get(segment.id)
    if (state !== undefined) return state === 'done'
    states.set(segment.id, 'open')
    for (const id of segment.excluded) {
      const other = byId.get(id)
      if (other && !visit(other)) return false
    }
    states.set(segment.id, 'done')
    ordered.push(segment)
    return true
  }
  return segments.every(visit) ? ordered : undefined
}

/** Of segments in the order of `orderByExclusion`: those whose members depend on the members of `ids`, themselves left out. */
export function listDependents<T extends Excluding>(ordered: readonly T[], ids: Iterable<string>): T[] {
  const touched = new Set(ids)
  const named = new Set(touched)
  return ordered.filter((segment) => {
    if (!segment.excluded.some((id) => touched.has(id))) return false
    touched.add(segment.id)
    return !named.has(segment.id)
  })
}
