/** The choices made for columns by name, kept in this browser for the next file. */
import { targetsOf, type ColumnTarget } from '@contentflow/core/strings/import-columns.ts'

const MOST_REMEMBERED = 200

type Kept = [name: string, target: ColumnTarget]

const nameOf = (workspaceId: string) => `cf.import-columns.${workspaceId}`

export function recallColumns(workspaceId: string): Map<string, ColumnTarget> {
  return new Map(read(localStorage.getItem(nameOf(workspaceId))))
}

/** The newest stay when there are too many. */
export function rememberColumns(workspaceId: string, header: readonly string[], targets: readonly ColumnTarget[]): void {
  const chosen = header.flatMap((name, at): Kept[] => (name === '' ? [] : [[name.toLowerCase(), targets[at] ?? 'ignored']]))
  const names = new Set(chosen.map(([name]) => name))
  const before = [...recallColumns(workspaceId)].filter(([name]) => !names.has(name))
  localStorage.setItem(nameOf(workspaceId), JSON.stringify([...before, ...chosen].slice(-MOST_REMEMBERED)))
}

const FIXED: readonly string[] = targetsOf({ source: '', translated: [] })

/** The storage of a browser may contain anything. */
function read(text: string | null): Kept[] {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '[]')
  } catch {
    return []
  }
  return Array.isArray(kept) ? kept.filter(isKept) : []
}

function isKept(entry: unknown): entry is Kept {
  if (!Array.isArray(entry)) return false
  const [name, target] = entry as unknown[]
  return typeof name === 'string' && typeof target === 'string' && (FIXED.includes(target) || target.startsWith('locale:'))
}
