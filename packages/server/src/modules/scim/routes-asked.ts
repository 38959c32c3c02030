/** What a request for users or groups asks for: which of them, and what of each. */
import { LIMITS } from '@contentflow/core/limits.ts'
import { parseFilter, type Condition } from '@contentflow/core/scim/filter.ts'
import { Type } from '../../http/schema.ts'
import { taken } from './scim-error.ts'

const Text = Type.Optional(Type.String({ maxLength: 4_000 }))
/** Numbers out of range mean the nearest that is not (RFC 7644, section 3.4.2.4); what is known of none is ignored. */
export const ListQuery = Type.Object({
  filter: Text,
  startIndex: Type.Optional(Type.Number()),
  count: Type.Optional(Type.Number()),
  attributes: Text,
  excludedAttributes: Text,
})
/** A user or a group; what is not known of it is left out. */
export const Sent = Type.Object({}, { additionalProperties: true })
export const NoQuery = Type.Object({})
export const OneQuery = Type.Object({ attributes: Text, excludedAttributes: Text })

type Paging = { filter?: string; startIndex?: number; count?: number }

export function pageOf({ filter, startIndex = 1, count = LIMITS.scimCount }: Paging): {
  conditions: Condition[]
  startIndex: number
  count: number
} {
  return {
    conditions: filter === undefined || filter.trim() === '' ? [] : taken(parseFilter(filter)),
    startIndex: Math.max(1, Math.min(Math.floor(startIndex), Number.MAX_SAFE_INTEGER)),
    count: Math.max(0, Math.min(Math.floor(count), LIMITS.scimCount)),
  }
}

type Projection = { attributes?: string; excludedAttributes?: string }

/** Whether a member of the answer is wanted. `id` and `schemas` always are. */
export function isWanted({ attributes, excludedAttributes }: Projection, name: string): boolean {
  if (attributes !== undefined && attributes.trim() !== '') return namesIn(attributes).has(name.toLowerCase())
  return excludedAttributes === undefined || !namesIn(excludedAttributes).has(name.toLowerCase())
}

/** A part of an attribute stands for the whole of it; so does its name behind that of its schema. */
function namesIn(text: string): Set<string> {
  return new Set(
    text.split(',').map(
      (each) =>
        each
          .trim()
          .toLowerCase()
          .replace(/^urn:.*:/, '')
          .split('.')[0] ?? '',
    ),
  )
}

/** What is wanted of a resource. */
export function project(resource: object, projection: Projection): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => name === 'id' || name === 'schemas' || isWanted(projection, name)))
}
