/** What the management API says of instances, and the requests that only the editor makes. */
import type { DesignType } from '@contentflow/core/blocks/definition.ts'
import type { Field } from '@contentflow/core/blocks/field.ts'
import type { InstanceState } from '@contentflow/core/blocks/instance-state.ts'
import type { InstanceContent, Schedule } from '@contentflow/core/blocks/instance.ts'

export type Environment = 'live' | 'test'
export type Definition = {
  key: string
  name: string
  screen: string
  fields: Field[]
  designType: DesignType | null
  interruptive: boolean | null
}
export type Instance = InstanceContent & {
  id: string
  blockKey: string
  externalId: string | null
  targets: Environment[]
  version: number
  createdAt: string
  updatedAt: string
}
export type Revision = {
  number: number
  source: 'create' | 'edit' | 'manifest' | 'rollback'
  restoredFrom: number | null
  madeBy: string
  createdAt: string
  content: InstanceContent
}
export type Locale = { code: string; name: string; native: string; rtl: boolean; source: boolean }
export type Segment = { id: string; name: string; memberCount: number; excludedSegments: string[] }
export type Member = { userId: string; name: string }
export type Audience = { segment: string | null; isKnown: boolean; devices: number; asOf: string }
export type Impact = {
  target: Environment
  change: 'added' | 'changed' | 'nothing'
  fault: string | null
  state: InstanceState
  schedule: Schedule | null
  audience: Audience
  audienceNow: Audience | null
}
/** A line of `GET /instances`. */
export type Summary = {
  id: string
  blockKey: string
  blockName: string
  title: string
  label: string | null
  image: string | null
  state: InstanceState
}

export function instancePath(blockKey: string, instanceId: string): string {
  return `/blocks/${encodeURIComponent(blockKey)}/instances/${encodeURIComponent(instanceId)}`
}

export function contentOf({ title, values, seg, priority, schedule, variants, translations, frequency }: InstanceContent): InstanceContent {
  return { title, values, seg, priority, schedule, variants, translations, frequency }
}
