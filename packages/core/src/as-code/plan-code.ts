/** What would have to change for a workspace to be what a document says. */
import { foldTag } from '../locale/language-tag.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { valuesFault, type LocaleCode } from './catalog-code.ts'
import { subjectFault } from './experiment-code.ts'
import type { InstanceCode } from './instance-code.ts'
import { linksFaultBetween } from './links-code.ts'
import { channelsFault, triggerFault } from './message-code.ts'
import { campaignTopicFault, stepTopicsFault } from './topics-code.ts'
import { CODE_KINDS, itemsOf, type CodeKind, type WorkspaceCode } from './workspace-code.ts'

/** `key`: what names it: a key, a code, the name of a segment or a setting, an id. `members`: what differs of one that is there. */
export type CodeChange = { kind: CodeKind; key: string; change: 'create' | 'change' | 'delete'; members: string[] }
/** What a document leaves out and stays all the same. */
export type CodeKept = Pick<CodeChange, 'kind' | 'key'>

/**
 * Both in order (`inOrder`); kinds that are not wanted stay, and where the document leaves out what `stays` names, that is
 * kept. In the order of kinds, then of keys. Pauses between things.
 */
export function* planCode(
  current: WorkspaceCode,
  wanted: Partial<WorkspaceCode>,
  stays: (kind: CodeKind, key: string) => boolean,
): Generator<undefined, { changes: CodeChange[]; kept: CodeKept[] }> {
  const changes: CodeChange[] = []
  const kept: CodeKept[] = []
  for (const kind of CODE_KINDS) {
    const asked = wanted[kind]
    if (!asked) continue
    const before = itemsOf(kind, current[kind])
    const after = itemsOf(kind, asked)
    for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const [old, next] = [before.get(key), after.get(key)]
      const members = old && next ? Object.keys(next).filter((name) => !isSame(old[name], next[name])) : []
      if (!old) changes.push({ kind, key, change: 'create', members })
      else if (members.length > 0) changes.push({ kind, key, change: 'change', members })
      else if (!next && kind !== 'settings') {
        if (stays(kind, key)) kept.push({ kind, key })
        else changes.push({ kind, key, change: 'delete', members })
      }
      yield
    }
  }
  return { changes, kept }
}

/** What is not there is another value than null. */
function isSame(value: unknown, other: unknown): boolean {
  return canonicalJson({ value }) === canonicalJson({ value: other })
}

/** What something that is written would name and there would not be, or why it cannot be what it is to be. */
export function faultBetween(current: WorkspaceCode, wanted: Partial<WorkspaceCode>, changes: readonly CodeChange[]): string | undefined {
  const after: WorkspaceCode = { ...current, ...wanted, settings: { ...current.settings, ...wanted.settings } }
  const written = new Set(changes.flatMap(({ kind, key, change }) => (change === 'delete' ? [] : [`${kind} ${key}`])))
  const faults = [
    ...after.locales.filter(({ code }) => written.has(`locales ${code}`)).map(spellingFault(current.locales)),
    ...(wanted.strings ?? []).map(valuesFault(after.locales)),
    ...after.instances.filter(({ id }) => written.has(`instances ${id}`)).map(identityFault(current.instances)),
    ...after.journeys.filter(({ id }) => written.has(`journeys ${id}`)).map(triggerFault(after.segments)),
    ...after.journeys.filter(({ id }) => written.has(`journeys ${id}`)).map(stepTopicsFault(after.topics)),
    ...after.campaigns.filter(({ id }) => written.has(`campaigns ${id}`)).map(channelsFault(after.blocks)),
    ...after.campaigns.filter(({ id }) => written.has(`campaigns ${id}`)).map(campaignTopicFault(after.topics)),
    ...after.experiments.filter(({ id }) => written.has(`experiments ${id}`)).map(subjectFault(after.instances, after.campaigns)),
    linksFaultBetween(current, after, (kind, key) => written.has(`${kind} ${key}`)),
  ]
  return faults.find((fault) => fault !== undefined)
}

function spellingFault(locales: readonly LocaleCode[]) {
  const spelled = new Map(locales.map(({ code }) => [foldTag(code), code]))
  return ({ code }: LocaleCode) => {
    const other = spelled.get(foldTag(code)) ?? code
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
