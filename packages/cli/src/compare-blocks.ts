/** The changes that a manifest would make to the existing block types. */
import { isDeepStrictEqual } from 'node:util'
import { parseDefinition, type Definition } from '@contentflow/core/blocks/definition.ts'

export type BlockDifference = { key: string; change: 'created' | 'changed' | 'archived'; details: string[] }

type Show = (value: unknown) => string

/** `stored`: what the server answers; `show`: how a value is written. In the order of keys. */
export function compareBlocks(
  declared: readonly Definition[],
  stored: readonly unknown[],
  show: Show = (value) => JSON.stringify(value),
): BlockDifference[] {
  const before = new Map(
    stored.flatMap((entry) => {
      const parsed = parseDefinition(entry)
      return parsed.ok ? [[parsed.value.key, parsed.value] as const] : []
    }),
  )
  const named = new Set(declared.map(({ key }) => key))
  const found: BlockDifference[] = []
  for (const definition of declared) {
    const old = before.get(definition.key)
    // The look is chosen in the dashboard: a manifest without one leaves it.
    const after = { ...definition, designType: definition.designType ?? old?.designType ?? null }
    if (!old) found.push({ key: definition.key, change: 'created', details: [] })
    else if (!isDeepStrictEqual(old, after)) found.push({ key: definition.key, change: 'changed', details: detailsOf(old, after, show) })
  }
  for (const key of before.keys()) if (!named.has(key)) found.push({ key, change: 'archived', details: [] })
  return found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function detailsOf(before: Definition, after: Definition, show: Show): string[] {
  const settings = (['name', 'screen', 'crumb', 'inCampaigns', 'interruptive', 'designType', 'blank'] as const)
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `${name}: ${show(before[name])} → ${show(after[name])}`)
  const ids = [...new Set([...before.fields, ...after.fields].map(({ id }) => id))]
  const fields = ids.flatMap((id) => {
    const old = before.fields.find((field) => field.id === id)
    const next = after.fields.find((field) => field.id === id)
    if (!old) return [`field ${next?.tag} added (${next?.type})`]
    if (!next) return [`field ${old.tag} removed: apps that read it get nothing`]
    if (old.tag !== next.tag) return [`field ${old.tag} renamed to ${next.tag}: apps that read ${old.tag} get nothing`]
    return isDeepStrictEqual(old, next) ? [] : [`field ${old.tag} changed`]
  })
  const isReordered = fields.length === 0 && before.fields.some(({ id }, at) => after.fields[at]?.id !== id)
  return [...settings, ...fields, ...(isReordered ? ['fields in another order'] : [])]
}
