/** A draft as a device would get it, for the design components: values by tag, with whole blocks inside collections. */
import type { Field, Json } from '@contentflow/core/blocks/field.ts'
import { fieldsByTag, type InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { scheduleBounds, targetOf, verdictOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { DesignBlock } from '@contentflow/sdk/react'
import type { Definition, Environment, Instance } from '../api.ts'
import { asIds, type Children } from '../fields/children.ts'
import type { Layer } from '../changes/places.ts'
import { deliveredValues } from '../fields/resolve-value.ts'

/** The viewer of the preview. */
export type Viewer = Layer & {
  environment: Environment
  /** Names of the segments that count for this device. */
  segments: readonly string[]
  /** Milliseconds. */
  now: number
}

type Part = { id: string; definition: Pick<Definition, 'key' | 'designType' | 'fields'>; content: InstanceContent }

/** Children are left out as delivery leaves them out: not published, not on air, for others, too deep, or inside themselves. */
export function previewBlock(
  { id, definition, content }: Part,
  children: Children,
  viewer: Viewer,
  path: readonly string[] = [],
): DesignBlock {
  const fields = [...fieldsByTag(definition.fields).values()]
  const inside = [...path, id]
  const values = deliveredValues(fields, content, viewer)
  const drawn = Object.entries(values).map(([tag, value]): [string, unknown] => [
    tag,
    isCollection(fields, tag) ? blocksOf(value, children, viewer, inside) : value,
  ])
  return {
    key: definition.key,
    instanceId: id,
    designType: definition.designType ?? undefined,
    fields: fields.map(({ tag, type }) => ({ tag, type })),
    values: Object.fromEntries(drawn),
  }
}

function isCollection(fields: readonly Field[], tag: string): boolean {
  return fields.some((field) => field.tag === tag && field.type === 'collection')
}

function blocksOf(value: Json, children: Children, viewer: Viewer, path: readonly string[]): DesignBlock[] {
  return asIds(value).flatMap((id) => {
    const child = children.get(id)
    if (!child || path.length > LIMITS.collectionDepth || path.includes(id) || !isDelivered(child.instance, viewer)) return []
    // Which variant of a child a device gets is its own draw; the preview shows everyone's values.
    const part = { id, definition: child.definition, content: child.instance }
    return [previewBlock(part, children, { ...viewer, variant: null }, path)]
  })
}

/** Live content is seen by test keys too. */
export function isDelivered({ targets, schedule, seg }: Instance, { environment, segments, now }: Omit<Viewer, keyof Layer>): boolean {
  if (!targets.includes('live') && !(environment === 'test' && targets.includes('test'))) return false
  const target = targetOf(seg)
  const judged = { ...scheduleBounds(schedule), target: target === undefined ? -1 : 0 }
  return verdictOf(judged, () => target !== undefined && segments.includes(target), now) === 'delivered'
}
