import type { Context } from '../../context.ts'
import type { AppCaller, HearLocale, NoteProof } from '../../http/callers/caller.ts'
import type { SignalOf } from '../../infra/signals/signals.ts'
import { DeviceViews, type MakeTokens, type ReadPeople, type ReevaluateDevices } from './answers/device-view.ts'
import { listMovedHeads } from './snapshot/queries.ts'
import { ReadTurns } from './answers/read-turns.ts'
import { DeliveryReader } from './answers/reading.ts'
import { openSnapshots } from './snapshot/snapshots.ts'
import { StreamHub } from './stream/stream.ts'

export type Delivery = { reading: DeliveryReader; turns: ReadTurns; hub: StreamHub }

/** Functions of other modules that delivery needs but does not import. */
type Parts = {
  /** The owner of a key, from memory. */
  recall(key: string): AppCaller | undefined
  /** The owner of a key, from the database. */
  recheck(key: string): Promise<AppCaller | undefined>
  reevaluate: ReevaluateDevices
  readPeople: ReadPeople
  hearLocale: HearLocale
  proofs: { makeTokens: MakeTokens; note: NoteProof }
}

/** Made once for the process; both client roots share it. */
export function openDelivery(ctx: Context, { recall, recheck, reevaluate, readPeople, hearLocale, proofs }: Parts): Delivery {
  const snapshots = openSnapshots(ctx)
  const turns = new ReadTurns((key) => recall(key)?.workspaceId)
  const hub = new StreamHub(ctx, snapshots, turns, recheck)
  // Streams are told of a change only after this process serves it.
  const hear = async (moved: SignalOf<'content'>): Promise<boolean> =>
    (await snapshots.refresh(moved.workspaceId, moved.revision, moved.environment)) && hub.hear(moved)
  ctx.signals.on('content', hear, listMovedHeads)
  ctx.signals.on('settings', ({ workspaceId }) => hub.closeRefused(workspaceId))
  ctx.signals.on('inbox', ({ workspaceId, deviceId }) => hub.tellInbox(workspaceId, deviceId))
  const views = new DeviceViews(ctx, reevaluate, readPeople, proofs.makeTokens, turns)
  return { reading: new DeliveryReader(ctx, snapshots, views, hearLocale, proofs.note), turns, hub }
}
