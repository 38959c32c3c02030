/** What was agreed is what goes out: an approval names the exact content it was given to, and what its segments meant then. */
import { sealedPartsOf, type Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { EVERYONE } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { segmentsOfMail } from '@contentflow/core/mail/shown-to.ts'
import { contentIdsIn } from '@contentflow/core/media/picture.ts'
import type { Db } from '../../../db/open.ts'
import type { Change } from '../../../infra/change.ts'
import { listPartChanges } from '../../mails/index.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { frozenMailOf, listSegmentDefinitions, type ApprovalSeal, type SegmentDefinition, type StoredCampaign } from '../queries.ts'
import { listPictureNames } from '../queries-pictures.ts'

export function hashContent(campaign: Campaign): string {
  return hashSecret(canonicalJson(sealedPartsOf(campaign)))
}

export async function sealOf({ tx, workspaceId, actor, now }: Change, campaign: Campaign): Promise<ApprovalSeal> {
  const names = namesOf(campaign)
  const found = await listSegmentDefinitions(tx, workspaceId, names)
  const segments = names.map((name) => ({ name, hash: hashDefinition(found.get(name)) }))
  const known = await listPictureNames(
    tx,
    workspaceId,
    contentIdsIn(JSON.stringify([campaign.content, campaign.mail ?? null, campaign.mailParts ?? null])),
  )
  const pictures = [...known].map(([id, name]) => ({ id, name }))
  return { hash: hashContent(campaign), by: actor, at: now.toISOString(), segments, pictures }
}

export type Differing = { kind: 'segment' | 'picture' | 'mail'; name: string; at: Date | null }

/**
 * By campaign: what its approval rests on and has become another since. `at`: when; null when it is gone. The bytes behind the
 * address of a picture are never others, and its words and focal point are nothing that a campaign sends, so all that may
 * happen to one is that it is deleted. Saved parts of its mail go out as they were; that they are others now is only told.
 */
export async function listChangedSince(
  db: Db,
  workspaceId: string,
  campaigns: readonly StoredCampaign[],
): Promise<(campaign: StoredCampaign) => Differing[]> {
  const names = new Set(campaigns.flatMap(({ seal }) => seal?.segments.map(({ name }) => name) ?? []))
  const found = await listSegmentDefinitions(db, workspaceId, [...names])
  const ids = new Set(campaigns.flatMap(({ seal }) => seal?.pictures?.map(({ id }) => id) ?? []))
  const kept = await listPictureNames(db, workspaceId, [...ids])
  const parts = campaigns.flatMap(({ seal, mailParts = [] }) => (seal ? mailParts : []))
  const partChanges = await listPartChanges(
    db,
    workspaceId,
    parts.map(({ id }) => id),
  )
  return ({ seal, mailParts = [] }) => {
    const changed = (seal ? mailParts : []).flatMap(({ id, name, version }) => {
      const last = partChanges.get(id)
      return last && last.version > version ? [{ kind: 'mail' as const, name, at: last.madeAt }] : []
    })
    const segments = (seal?.segments ?? []).flatMap(({ name, hash }) => {
      const segment = found.get(name)
      return hashDefinition(segment) === hash ? [] : [{ kind: 'segment' as const, name, at: segment?.updatedAt ?? null }]
    })
    const gone = (seal?.pictures ?? []).filter(({ id }) => !kept.has(id))
    return [...segments, ...gone.map(({ name }) => ({ kind: 'picture' as const, name, at: null })), ...changed]
  }
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

/** Of its audience, and of those whom sections of its mail are for. */
function namesOf(campaign: Pick<Campaign, 'segments' | 'mail' | 'mailParts'>): string[] {
  return [...new Set([...campaign.segments, ...segmentsOfMail(frozenMailOf(campaign))])].filter((name) => name !== EVERYONE)
}

function hashDefinition(segment: SegmentDefinition | undefined): string | null {
  if (!segment) return null
  const { logicalOperator, rules, excluded } = segment
  return hashSecret(canonicalJson({ logicalOperator, rules, excluded }))
}
