/** The instances that collections name. */
import type { Field, Json, JsonObject } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Definition, Instance } from '../api.ts'

export type Child = { instance: Instance; definition: Definition }
export type Children = ReadonlyMap<string, Child>

export type Wanted = Map<string, Set<string>>

/** Ids that collections name, by block type that may hold them. */
export function wantedBy(fields: readonly Field[], content: Pick<InstanceContent, 'values' | 'translations' | 'variants'>): Wanted {
  const wanted: Wanted = new Map()
  const layers = [content, ...content.variants].flatMap(({ values, translations }) => [values, ...Object.values(translations ?? {})])
  for (const { tag, type, allowedBlockKeys = [] } of fields) {
    if (type !== 'collection') continue
    for (const id of layers.flatMap((values) => idsOf(values, tag)))
      for (const key of allowedBlockKeys) wanted.set(key, (wanted.get(key) ?? new Set()).add(id))
  }
  return wanted
}

function idsOf(values: JsonObject, tag: string): string[] {
  return asIds(values[tag])
}

export function asIds(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
