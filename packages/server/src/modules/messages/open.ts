/** In-app messages: they wait until the person's app asks (G-33). */
import { inboxDaysOf } from '@contentflow/core/messages/inbox.ts'
import type { Change } from '../../infra/change.ts'
import * as queries from './queries.ts'
import type { JourneyMessage } from './queries.ts'

/** One for each of these people who has none of this step yet; their devices are told. */
export async function openMessages(change: Change, message: JourneyMessage, profileIds: readonly string[]): Promise<void> {
  const { tx, workspaceId, now } = change
  const inboxDays = inboxDaysOf(message.content)
  for (const deviceId of await queries.insertMessages(tx, workspaceId, { ...message, inboxDays }, profileIds, now)) {
    change.emit({ kind: 'device', workspaceId, deviceId })
    if (inboxDays !== undefined) change.emit({ kind: 'inbox', workspaceId, deviceId })
  }
}
