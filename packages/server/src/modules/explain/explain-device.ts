/** What a device gets now, of all block types, and what it does not; by the functions that decide delivery. */
import { outlineOf } from '@contentflow/core/blocks/outline.ts'
import { targetOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import type { Context } from '../../context.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { listTitles } from '../content/index.ts'
import type { SnapInstance } from '../delivery/index.ts'
import { lookAs, reasonOf } from './explain-block.ts'

type DeviceQuery = { workspaceId: string; environment: Environment; deviceId: string; locale: string }

/** Instances of one answer; what is delivered comes first. */
const MOST = 500

export async function explainDevice(ctx: Context, question: DeviceQuery) {
  const { workspaceId, environment } = question
  const { snapshot, view, device, now, isTooLong } = await lookAs(ctx, question)
  const judged = snapshot.ordered
    .map((instance) => ({ instance, reason: reasonOf(snapshot, instance, view, device) }))
    .toSorted((a, b) => Number(b.reason === 'delivered') - Number(a.reason === 'delivered'))
  const told = judged.slice(0, MOST)
  const titles = await listTitles(
    ctx.db,
    workspaceId,
    told.map(({ instance }) => instance.row.id),
  )
  return {
    environment,
    at: new Date(now),
    device,
    isTooLong,
    delivered: judged.filter(({ reason }) => reason === 'delivered').length,
    published: judged.length,
    instances: told.map(({ instance, reason }) => ({
      ...describe(instance, titles),
      variant: reason === 'delivered' ? (instance.row.variants[view.variantOf(instance)]?.id ?? null) : null,
      isDelivered: reason === 'delivered',
      reason,
    })),
  }
}

function describe({ row, definition }: SnapInstance, titles: ReadonlyMap<string, string>) {
  return {
    instanceId: row.id,
    title: titles.get(row.id) ?? '',
    label: outlineOf(definition.row.fields, row).label,
    blockKey: row.blockKey,
    blockName: definition.row.name,
    screen: definition.row.screen,
    segment: targetOf(row.seg) ?? null,
    schedule: row.schedule,
  }
}
