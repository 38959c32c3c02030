import { linksFault, newAppLinks, type Link, type LinkSchemes } from '@contentflow/core/blocks/links/link-schemes.ts'
import { fail } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { findLinkSchemes } from './queries.ts'

type By = Pick<Change, 'tx' | 'workspaceId'>

/** What each change has read; most write no link of an app and read nothing. */
const known = new WeakMap<By, Promise<LinkSchemes>>()

/** Why the workspace does not take what is to be stored. What stood there `before` stays, whatever was named since. */
export async function readLinkFault(change: By, after: readonly Link[], before: readonly Link[] = []): Promise<string | undefined> {
  const links = newAppLinks(after, before)
  if (links.length === 0) return undefined
  const reading = known.get(change) ?? findLinkSchemes(change.tx, change.workspaceId)
  known.set(change, reading)
  return linksFault(links, await reading)
}

/** Every command that stores links calls this for them, whatever the route. */
export async function refuseLinks(change: By, after: readonly Link[], before: readonly Link[] = []): Promise<void> {
  const fault = await readLinkFault(change, after, before)
  if (fault !== undefined) fail('LINK_SCHEME_NOT_ALLOWED', { message: fault })
}

/** The setting changes in this change: what it stores from then on is judged by the new one. */
export function forgetLinkSchemes(change: By): void {
  known.delete(change)
}
