/** The answers of content routes that lists use. */
import type { Counts, Overview, Summary } from '@contentflow/server/wire.ts'

export type { BlockType, Counts, Locale, Member, Overview, Summary } from '@contentflow/server/wire.ts'
/** The counts of a block type, made by the server. */
export type TypeCounts = Counts['types'][number]
export type Warnings = Summary['warnings']
export type ScreenNow = Overview['screens'][number]
/** An instance starts or ends. */
export type Turn = Overview['upcoming'][number]

export function instancePath(workspaceId: string, blockKey: string, id: string): string {
  return `/w/${workspaceId}/content/${blockKey}/${id}`
}

/** Keys have no hyphen, so no block type can have this one. */
export const NEW_TYPE = 'new-type'

/** The value of the filter that shows archived block types. */
export const ARCHIVED = 'archived'

export function typesPath(workspaceId: string, show?: typeof ARCHIVED): string {
  return `/w/${workspaceId}/content/types${show ? `?show=${show}` : ''}`
}

export function typePath(workspaceId: string, blockKey: string): string {
  return `/w/${workspaceId}/content/types/${blockKey}`
}
