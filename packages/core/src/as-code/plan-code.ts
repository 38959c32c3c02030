/** What would have to change for a workspace to be what a document says. */
import { valuesFault, type LocaleCode } from './catalog-code.ts'
import type { InstanceCode } from './instance-code.ts'
import { channelsFault, triggerFault } from './message-code.ts'
import { CODE_KINDS, itemsOf, type CodeKind, type WorkspaceCode } from './workspace-code.ts'

/** `key`: what names it: a key, a code, the name of a segment or a setting, an id. `members`: what differs of one that is there. */
export type CodeChange = { kind: CodeKind; key: string; change: 'create' | 'change' | 'delete'; members: string[] }
/** What a document leaves out and stays all the same. */
export type CodeKept = Pick<CodeChange, 'kind' | 'key'>

/**
 * Both in order (`inOrder`); kinds that are not wanted stay, and where the document leaves out what `stays` names, that is
 * kept. In the order of kinds, then of keys.
 */
export function planCode(
  current: WorkspaceCode,
  wanted: Partial<WorkspaceCode>,
  stays: (kind: CodeKind, key: string) => boolean,
): { changes: CodeChange[]; kept: CodeKept[] } {
  const kept: CodeKept[] = []
  const changes = CODE_KINDS.flatMap((kind) => {
    const asked = wanted[kind]
    if (!asked) return []
    const before = itemsOf(kind, current[kind])
    const after = itemsOf(kind, asked)
    const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
    return keys.flatMap((key): CodeChange[] => {
      const [old, next] = [before.get(key), after.get(key)]
      if (!old) return [{ kind, key, change: 'create', members: [] }]
      if (!next && kind === 'settings') return []
      if (!next && !stays(kind, key)) return [{ kind, key, change: 'delete', members: [] }]
      if (!next) {
        kept.push({ kind, key })
        return []
      }
      const members = Object.keys(next).filter((name) => canonical(old[name]) !== canonical(next[name]))
      return members.length === 0 ? [] : [{ kind, key, change: 'change', members }]
    })
  })
  return { changes, kept }
}

/** What something that is written would name and there would not be, or why it cannot be what it is to be. */
export function faultBetween(current: WorkspaceCode, wanted: Partial<WorkspaceCode>, changes: readonly CodeChange[]): string | undefined {
  const after: WorkspaceCode = { ...current, ...wanted }
  const written = new Set(changes.flatMap(({ kind, key, change }) => (change === 'delete' ? [] : [`${kind} ${key}`])))
  const faults = [
    ...after.locales.filter(({ code }) => written.has(`locales ${code}`)).map(spellingFault(current.locales)),
    ...(wanted.strings ?? []).map(valuesFault(after.locales)),
    ...after.instances.filter(({ id }) => written.has(`instances ${id}`)).map(identityFault(current.instances)),
    ...after.journeys.filter(({ id }) => written.has(`journeys ${id}`)).map(triggerFault(after.segments)),
    ...after.campaigns.filter(({ id }) => written.has(`campaigns ${id}`)).map(channelsFault(after.blocks)),
  ]
  return faults.find((fault) => fault !== undefined)
}

function spellingFault(locales: readonly LocaleCode[]) {
  const spelled = new Map(locales.map(({ code }) => [code.toLowerCase(), code]))
  return ({ code }: LocaleCode) => {
    const other = spelled.get(code.toLowerCase()) ?? code
    return other === code ? undefined : `locales: this workspace spells ${code} ${other}`
  }
}

function identityFault(instances: readonly InstanceCode[]) {
  const stored = new Map(instances.map((instance) => [instance.id, instance]))
  return ({ id, block, externalId }: InstanceCode) => {
    const before = stored.get(id)
    if (!before || (before.block === block && before.externalId === externalId)) return undefined
    return `instance ${JSON.stringify(id)}: its block is ${before.block} and its externalId ${before.externalId}, which stay`
  }
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
