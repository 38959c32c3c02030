import type { Permission } from '@contentflow/core/access/permissions.ts'
import type { Change } from '../../infra/change.ts'
import { listNamespacesOf } from './queries.ts'

/** Languages whose texts are written; of which strings, or in which namespaces those are. */
type Touching = { locales: readonly string[]; keys?: readonly string[]; namespaces?: readonly string[] }

/** Asks whether whoever changes texts may, in all of these languages and namespaces. The source language of a workspace that named none is `en`. */
export async function permitTexts(change: Change, { locales, keys = [], namespaces = [] }: Touching): Promise<void> {
  const known = change.limits.namespaces && keys.length > 0 ? await listNamespacesOf(change.tx, change.workspaceId, keys) : []
  const permissions: Permission[] = ['strings:write', 'strings:publish', 'strings:approve']
  change.require(permissions, { locales: [...new Set(locales)], namespaces: [...new Set([...known, ...namespaces])] })
}

export function sourceOf({ sourceLocale }: { sourceLocale: string | null }): string {
  return sourceLocale ?? 'en'
}
