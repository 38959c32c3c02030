/** What the content routes answer, as lists use it. */
import type { Definition } from '@contentflow/core/blocks/definition.ts'
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import type { InstanceState } from '@contentflow/core/blocks/instance-state.ts'
import type { LocaleFill, Outline } from '@contentflow/core/blocks/outline.ts'

/** One instance in `GET /instances`. */
export type Summary = Outline & {
  id: string
  blockKey: string
  blockName: string
  screen: string
  designType: Definition['designType']
  title: string
  state: InstanceState
  /** Segment name; null for everyone. */
  seg: string | null
  priority: number
  schedule: Schedule | null
  variants: number
  locales: LocaleFill[]
  version: number
  createdAt: string
  updatedAt: string
}

/** One block type in `GET /blocks`. */
export type BlockType = Definition & { revision: number; isArchived: boolean; createdAt: string; updatedAt: string }

/** `GET /content/overview`. */
export type Overview = {
  at: string
  screens: ScreenNow[]
  upcoming: Turn[]
  hasMoreUpcoming: boolean
  waiting: { stringsInReview: number; sensorRequests: number; drafts: number }
}
export type ScreenNow = {
  screen: string
  blockTypes: number
  liveBlockTypes: number
  liveInstances: number
  forEveryone: number
  segments: string[]
}
/** An instance starts or ends. */
export type Turn = {
  at: string
  change: 'starts' | 'ends'
  instanceId: string
  title: string
  blockKey: string
  blockName: string
  screen: string
  seg: string | null
  /** False: published to test only. */
  isLive: boolean
}

export type Locale = { code: string; name: string; native: string; source: boolean }

/** What people call an instance: its title, or else its first text, or else the start of its id. */
export function nameOf({ title, label, id }: { title: string; label?: string | null; id: string }): string {
  return title || label || id.slice(0, 8)
}

export function instancePath(workspaceId: string, blockKey: string, id: string): string {
  return `/w/${workspaceId}/content/${blockKey}/${id}`
}

/** Keys have no hyphen, so no block type can have this one. */
export const NEW_TYPE = 'new-type'

/** What the list of block types shows when it shows the archived ones. */
export const ARCHIVED = 'archived'

export function typesPath(workspaceId: string, show?: typeof ARCHIVED): string {
  return `/w/${workspaceId}/content/types${show ? `?show=${show}` : ''}`
}

export function typePath(workspaceId: string, blockKey: string): string {
  return `/w/${workspaceId}/content/types/${blockKey}`
}
