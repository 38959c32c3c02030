import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { listSegments } from './queries.ts'
import { previewRules } from './recompute.ts'
import { readReferences, readRules, resolveExcluded } from './segments.ts'

/** People shown beside the count. */
const SAMPLE_SIZE = 20

export type Preview = {
  count: number
  sample: { userId: string | null; deviceId: string | null; name: string | null }[]
  asOf: Date
  tookMs: number
}

/** How many people these rules hold for just now, and some of them. Excluded segments count with their stored members. */
export async function previewSegment(ctx: Context, workspaceId: string, body: Record<string, unknown>): Promise<Preview> {
  const { logicalOperator, rules, excludedSegments = [], environment = await findOwnEnvironment(ctx.db, workspaceId) } = body
  const tree = readRules({ logicalOperator, rules })
  const references = readReferences(excludedSegments)
  if (environment !== 'live' && environment !== 'test') failWith(400, 'environment must be live or test')
  const excluded = references.length === 0 ? [] : resolveExcluded(await listSegments(ctx.db, workspaceId), references)
  const asOf = ctx.clock.now()
  const started = performance.now()
  const { count, sample } = await previewRules(ctx, { workspaceId, environment }, { rules: tree, excluded, sampleSize: SAMPLE_SIZE })
  return {
    count,
    sample: sample.map(({ user_id, device_id, name }) => ({ userId: user_id, deviceId: device_id, name })),
    asOf,
    tookMs: Math.round(performance.now() - started),
  }
}
