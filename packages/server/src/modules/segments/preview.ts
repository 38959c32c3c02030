import { roundedCount } from '@contentflow/core/targeting/write-only.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { MemberCaller } from '../../http/callers/caller.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { listSegments } from './queries.ts'
import { previewRules } from './membership/recompute.ts'
import { readReferences, readRules, resolveExcluded } from './segments.ts'
import { guardWriteOnly } from './write-only.ts'

/** People shown beside the count. */
const SAMPLE_SIZE = 20

export type Preview = {
  count: number
  /** With rules on write-only data only: `count` is 0 for everything below five. */
  fewerThan?: number
  sample: { userId: string | null; deviceId: string | null; name: string | null }[]
  /** Of rules on events that nobody has saved: since when events were read, and whether those are all. */
  coverage?: { from: Date; isWhole: boolean }
  asOf: Date
  tookMs: number
}

/**
 * How many people these rules hold for just now, and some of them. Excluded segments count with their stored members.
 * Of industry data and imported data viewers may not ask, and others are told no person and no number below five.
 */
export async function previewSegment(ctx: Context, caller: MemberCaller, body: Record<string, unknown>): Promise<Preview> {
  const { workspaceId } = caller
  const { logicalOperator, rules, excludedSegments = [], environment = await findOwnEnvironment(ctx.db, workspaceId) } = body
  const tree = readRules({ logicalOperator, rules })
  const references = readReferences(excludedSegments)
  if (environment !== 'live' && environment !== 'test') failWith(400, 'environment must be live or test')
  const excluded = references.length === 0 ? [] : resolveExcluded(await listSegments(ctx.db, workspaceId), references)
  const isWriteOnly = await guardWriteOnly(ctx, caller, { rules: tree.rules, segments: excluded })
  const asOf = ctx.clock.now()
  const started = performance.now()
  const sampleSize = isWriteOnly ? 0 : SAMPLE_SIZE
  const { count, sample, coverage } = await previewRules(ctx, { workspaceId, environment }, { rules: tree, excluded, sampleSize })
  return {
    ...(isWriteOnly ? roundedCount(count) : { count }),
    sample: sample.map(({ user_id, device_id, name }) => ({ userId: user_id, deviceId: device_id, name })),
    ...(coverage && { coverage }),
    asOf,
    tookMs: Math.round(performance.now() - started),
  }
}
