/** What would have to change for a workspace to be what a document says. */
import { CODE_KINDS, type CodeKind, type WorkspaceCode } from './workspace-code.ts'

/** `key`: of a block type, name of a segment, id of a fence. `members`: what differs of one that is there. */
export type CodeChange = { kind: CodeKind; key: string; change: 'create' | 'change' | 'delete'; members: string[] }

/** Both in order (`inOrder`); kinds that are not wanted stay. In the order of kinds, then of keys. */
export function planCode(current: WorkspaceCode, wanted: Partial<WorkspaceCode>): CodeChange[] {
  return CODE_KINDS.flatMap((kind) => {
    const asked = wanted[kind]
    if (!asked) return []
    const before = byKey(kind, current[kind])
    const after = byKey(kind, asked)
    const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
    return keys.flatMap((key): CodeChange[] => {
      const [old, next] = [before.get(key), after.get(key)]
      if (!old) return [{ kind, key, change: 'create', members: [] }]
      if (!next) return [{ kind, key, change: 'delete', members: [] }]
      const members = Object.keys(next).filter((name) => canonical(old[name]) !== canonical(next[name]))
      return members.length === 0 ? [] : [{ kind, key, change: 'change', members }]
    })
  })
}

type Item = Readonly<Record<string, unknown>>

function byKey<K extends CodeKind>(kind: K, items: WorkspaceCode[K]): Map<string, Item> {
  const name = ({ blocks: 'key', segments: 'name', geofences: 'id' } as const)[kind]
  return new Map((items as readonly Item[]).map((item) => [String(item[name]), item]))
}

/** One text for equal values, in whatever order their members stand. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}
