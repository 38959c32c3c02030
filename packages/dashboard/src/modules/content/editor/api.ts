/** What the editor uses of the management API. */
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Impact } from '@contentflow/server/wire.ts'

export type {
  BlockType as Definition,
  Environment,
  Impact,
  Instance,
  Locale,
  PublishAsked,
  ServedContent,
  Revision,
  Segment,
  Summary,
} from '@contentflow/server/wire.ts'
export type Audience = Impact['audience']

export function instancePath(blockKey: string, instanceId: string): string {
  return `/blocks/${encodeURIComponent(blockKey)}/instances/${encodeURIComponent(instanceId)}`
}

export function contentOf({ title, values, seg, priority, schedule, variants, translations, frequency }: InstanceContent): InstanceContent {
  return { title, values, seg, priority, schedule, variants, translations, frequency }
}
