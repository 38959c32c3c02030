/** In-app messages: they wait until the person's app asks (G-33). */
import type { Change } from '../../infra/change.ts'
import * as queries from './queries.ts'
import type { JourneyMessage } from './queries.ts'

/** One for each of these people who has none of this step yet; their devices are told. */
export async function openMessages(change: Change, message: JourneyMessage, profileIds: readonly string[]): Promise<void> {
  const { tx, workspaceId, now } = change
  for (const deviceId of await queries.insertMessages(tx, workspaceId, message, profileIds, now))
    change.emit({ kind: 'device', workspaceId, deviceId })
}
