/** What was agreed is what goes out: an approval names the exact content it was given to, and what its segments meant then. */
import { canonicalJson, sealedPartsOf, type Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { EVERYONE } from '@contentflow/core/blocks/select-blocks.ts'
import type { Db } from '../../db/open.ts'
import type { Change } from '../../infra/change.ts'
import { hashSecret } from '../../infra/crypto.ts'
import { listSegmentDefinitions, type Seal, type SegmentDefinition, type StoredCampaign } from './queries.ts'

export function hashContent(campaign: Campaign): string {
  return hashSecret(canonicalJson(sealedPartsOf(campaign)))
}

export async function sealOf({ tx, workspaceId, actor, now }: Change, campaign: Campaign): Promise<Seal> {
  const found = await listSegmentDefinitions(tx, workspaceId, campaign.segments)
  const segments = namesOf(campaign).map((name) => ({ name, hash: hashDefinition(found.get(name)) }))
  return { hash: hashContent(campaign), by: actor, at: now.toISOString(), segments }
}

export type Differing = { kind: 'segment'; name: string; at: Date | null }

/** By campaign: what its approval rests on and has become another since. `at`: when; null when the segment is gone. */
export async function listChangedSince(
  db: Db,
  workspaceId: string,
  campaigns: readonly StoredCampaign[],
): Promise<(campaign: StoredCampaign) => Differing[]> {
  const names = new Set(campaigns.flatMap(({ seal }) => seal?.segments.map(({ name }) => name) ?? []))
  const found = await listSegmentDefinitions(db, workspaceId, [...names])
  return ({ seal }) =>
    (seal?.segments ?? []).flatMap(({ name, hash }) => {
      const segment = found.get(name)
      return hashDefinition(segment) === hash ? [] : [{ kind: 'segment' as const, name, at: segment?.updatedAt ?? null }]
    })
}

/** Names of segments that there are none of: they reach nobody. */
export async function listUnknownSegments(
  db: Db,
  workspaceId: string,
  campaigns: readonly StoredCampaign[],
): Promise<(campaign: StoredCampaign) => string[]> {
  const found = await listSegmentDefinitions(db, workspaceId, [...new Set(campaigns.flatMap(namesOf))])
  return (campaign) => namesOf(campaign).filter((name) => !found.has(name))
}

function namesOf({ segments }: Pick<Campaign, 'segments'>): string[] {
  return [...new Set(segments)].filter((name) => name !== EVERYONE)
}

function hashDefinition(segment: SegmentDefinition | undefined): string | null {
  if (!segment) return null
  const { logicalOperator, rules, excluded } = segment
  return hashSecret(canonicalJson({ logicalOperator, rules, excluded }))
}
