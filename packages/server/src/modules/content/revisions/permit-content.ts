import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import * as queries from './queries.ts'

/** `environments`: where a pointer moves; none: only drafts are written. `screens`: where the type stands, when it is known. */
type Touching = { environments: readonly Environment[]; screens?: readonly string[] }

/** Asks whether whoever changes instances of these types may. Whoever approves carries out what somebody else asked for. */
export async function permitContent(change: Change, blockKeys: readonly string[], { environments, screens }: Touching): Promise<void> {
  const publishing = ['content:publish', 'content:approve'] as const
  const target = { blockKeys, screens: screens ?? (await screensOf(change, blockKeys)), environments }
  change.require(environments.length > 0 ? publishing : ['content:write', ...publishing], target)
}

/** The same of types themselves. */
export async function permitTypes(change: Change, blockKeys: readonly string[], screens?: readonly string[]): Promise<void> {
  change.require('types:write', { blockKeys, screens: screens ?? (await screensOf(change, blockKeys)) })
}

/** Read only for whoever is limited by them. */
async function screensOf({ tx, workspaceId, limits }: Change, blockKeys: readonly string[]): Promise<readonly string[]> {
  return limits.screens ? queries.listScreensOf(tx, workspaceId, blockKeys) : []
}
