import {
  PROOF_PARTS,
  proofModes,
  type ProofEnvironment,
  type ProofModes,
  type ProofPart,
  type StoredProofModes,
} from '@contentflow/core/identity-proof/modes.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { fail, refusalWith } from '../../../errors.ts'
import type { Actor } from '../../../infra/change.ts'
import { getSettings, lockSettings, saveSettings } from '../../workspaces/index.ts'
import type { Proofs } from './proofs.ts'
import { listDayCounts, sumCounts, type DayCount } from './queries-counts.ts'
import { activeKeys, listIdentityKeys } from './queries-keys.ts'

export type IdentityVerification = Record<ProofEnvironment, ProofModes>
export type ModesInput = Partial<ProofModes> & { environment: ProofEnvironment; wouldRefuse?: number }

function verificationOf(stored: unknown): IdentityVerification {
  return { live: proofModes(stored as StoredProofModes, 'live'), test: proofModes(stored as StoredProofModes, 'test') }
}

export async function findVerification(ctx: Context, workspaceId: string): Promise<IdentityVerification> {
  return verificationOf((await getSettings(ctx.db, workspaceId)).identity_verification)
}

/**
 * Members that are left out stay as they are. Whoever sets a part to `required` also sends how many calls of the last day it would
 * have refused. So they have seen the number before their own apps are refused.
 */
export async function setVerification(ctx: Context, proofs: Proofs, by: Actor, input: ModesInput): Promise<IdentityVerification> {
  const { environment, wouldRefuse } = input
  // A caller that sends the number read it a moment ago. What this process has counted since is not stored first, or the number would be wrong.
  if (wouldRefuse === undefined) await proofs.save()
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const stored = (await lockSettings(tx, workspaceId)).identity_verification as StoredProofModes
    const before = proofModes(stored, environment)
    const after = { userToken: input.userToken ?? before.userToken, deviceProof: input.deviceProof ?? before.deviceProof }
    const turned = PROOF_PARTS.filter((part) => after[part] === 'required' && before[part] !== 'required')
    if (turned.includes('userToken') && activeKeys(await listIdentityKeys(tx, workspaceId), environment, now).length === 0)
      fail('IDENTITY_KEY_REQUIRED')
    if (turned.length > 0) {
      const refused = await countRefused(tx, workspaceId, environment, { parts: turned, now })
      if ((wouldRefuse ?? 0) !== refused) throw refusalWith('IDENTITY_CHECK_NEEDED', { wouldRefuse: refused })
    }
    const next = { ...stored, [environment]: after }
    await saveSettings(change, { identity_verification: JSON.stringify(next) })
    return verificationOf(next)
  })
}

/** The beginning of the hour 24 hours ago. Counts are by whole hours, so up to an hour more is counted, never less. */
function lastDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS)
}

async function countRefused(
  db: Context['db'],
  workspaceId: string,
  environment: ProofEnvironment,
  { parts, now }: { parts: readonly ProofPart[]; now: Date },
): Promise<number> {
  const totals = await sumCounts(db, workspaceId, environment, lastDay(now))
  return totals.filter(({ part }) => parts.includes(part)).reduce((sum, { calls, proven }) => sum + calls - proven, 0)
}

export type ProofReport = { last24h: Record<ProofPart, { calls: number; proven: number }>; rows: DayCount[] }

/** Has everything that this process counted so far, and what other processes counted up to a minute ago. */
export async function readReport(ctx: Context, proofs: Proofs, workspaceId: string, environment: ProofEnvironment): Promise<ProofReport> {
  await proofs.save()
  const now = ctx.clock.now()
  const totals = await sumCounts(ctx.db, workspaceId, environment, lastDay(now))
  const totalOf = (part: ProofPart) => {
    const { calls = 0, proven = 0 } = totals.find((total) => total.part === part) ?? {}
    return { calls, proven }
  }
  const today = Math.floor(now.getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS
  const since = new Date(today - (LIMITS.identityReportDays - 1) * 24 * HOUR_MS)
  const rows = await listDayCounts(ctx.db, workspaceId, environment, { since, limit: LIMITS.identityReportRows })
  return { last24h: { userToken: totalOf('userToken'), deviceProof: totalOf('deviceProof') }, rows }
}
