/** Events that the server itself tells of people: no app sent them, so they are of no device, and nobody is active by them. */
import { NO_DEVICE, type SentEvent } from '@contentflow/core/events/read-events.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { openPartitions } from './partitions.ts'
import { insertEvents } from './queries.ts'

export type ServerEvent = { environment: Environment; profileId: string; type: string; properties: JsonObject }

export type ServerEvents = {
  /** Resolves when events of this moment can be stored: before the transaction begins. */
  ensure(now: Date): Promise<void>
  /** The people must be held, so that none is erased meanwhile. */
  insert(tx: Db, workspaceId: string, events: readonly ServerEvent[], now: Date): Promise<void>
}

export function openServerEvents(ctx: Context): ServerEvents {
  const partitions = openPartitions(ctx)
  return {
    ensure: async (now) => partitions.ensure(now.getTime()),
    insert: async (tx, workspaceId, events, now) =>
      insertEvents(
        tx,
        workspaceId,
        events.map(({ environment, profileId, ...event }) => ({
          environment,
          profileId,
          deviceId: NO_DEVICE,
          sessionId: null,
          platform: null,
          events: [sentEvent(event)],
        })),
        now,
      ),
  }
}

/** As if it had been sent. */
export function sentEvent({ type, properties }: Pick<ServerEvent, 'type' | 'properties'>): SentEvent {
  return {
    type,
    properties,
    isTooLarge: false,
    eventId: null,
    blockKey: null,
    instanceId: null,
    campaignId: null,
    screen: null,
    fenceId: null,
    stringKey: null,
    value: null,
    currency: null,
    occurredAt: null,
  }
}
