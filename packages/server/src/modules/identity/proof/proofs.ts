/** Signed identity: checks the proofs that calls send, and gives installations the tokens to send. */
import { outcomeOfDevice, planBinding, type Binding } from '@contentflow/core/identity-proof/device-proof.ts'
import type { DeviceProofOutcome, UserTokenOutcome } from '@contentflow/core/identity-proof/modes.ts'
import type { RouteProof } from '@contentflow/core/identity-proof/client-routes.ts'
import { ERASURE_AGE_SECONDS } from '@contentflow/core/identity-proof/user-token.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { fail, refusalWith } from '../../../errors.ts'
import type { AppCaller, NoteProof } from '../../../http/callers/caller.ts'
import { batched } from '../../../infra/concurrency/batched.ts'
import { isSameText } from '../../../infra/secrets/crypto.ts'
import { isConnectionError } from '../../../infra/unavailable.ts'
import { ProofCounts } from './counts.ts'
import { openDeviceTokens, type MakeDeviceTokens } from './device-tokens.ts'
import { insertBinding, listBindings, replaceEpoch, touchBinding, type BindingRow, type DeviceKey } from './queries-bindings.ts'
import { openUserTokens } from './user-tokens.ts'

/** A call, as far as proofs go. */
type Claim = {
  caller: AppCaller
  need: RouteProof
  /** The user that its body names. */
  named: string | undefined
  deviceId: string | undefined
  userToken: string | undefined
  deviceToken: string | undefined
  sdkVersion: string | string[] | undefined
  /** The address of the caller, as rates count it. */
  address: string
}
/** An identify that is let in: what is to be done about the token of its installation when the identify is carried out. */
export type Admission = { device: DeviceKey; binding: Binding; row: BindingRow; isRequired: boolean }

export type Proofs = {
  /** Refuses a call that lacks a proof it needs. With `report` the call is counted and let in. */
  admit(claim: Claim): Promise<Admission | undefined>
  /** The token that the answer to an identify has. */
  settle(admission: Admission): Promise<string | undefined>
  makeTokens: MakeDeviceTokens
  note: NoteProof
  /** Stores what was counted. */
  save(): Promise<void>
}

const [BINDINGS_TOGETHER, BINDINGS_AT_ONCE] = [200, 4]

export function openProofs(ctx: Context): Proofs {
  const tokens = openUserTokens(ctx)
  const makeTokens = openDeviceTokens(ctx)
  const counts = new ProofCounts(ctx)
  const find = batched((keys: readonly DeviceKey[]) => listBindings(ctx.db, keys[0]?.workspaceId ?? '', keys), {
    most: BINDINGS_TOGETHER,
    atOnce: BINDINGS_AT_ONCE,
    groupOf: ({ workspaceId }) => workspaceId,
    isForAll: isConnectionError,
  })

  /** Checks the user token of a call against this user, whatever the mode is. */
  const judgeUser = async ({ caller, need, deviceId, userToken }: Claim, userId: string): Promise<UserTokenOutcome> => {
    if (userToken === undefined) return 'missing'
    const audiences = [caller.workspaceId, caller.ownerId]
    const maxAgeSeconds = need.user === 'erasure' ? ERASURE_AGE_SECONDS : undefined
    return (await tokens.check(userToken, caller, { userId, audiences, deviceId, maxAgeSeconds })) ?? 'proven'
  }
  const demandUser = async (claim: Claim, userId: string): Promise<UserTokenOutcome> => {
    const isRequired = claim.caller.proofs.userToken === 'required'
    const outcome = await judgeUser(claim, userId).catch((error: unknown) => {
      if (isRequired) throw error
      // With `report` the call is let in. It is not counted either, because the token could not be checked.
      return undefined
    })
    if (outcome === undefined) return 'missing'
    counts.note(claim.caller, 'userToken', outcome, claim.sdkVersion)
    if (isRequired && outcome !== 'proven') await refuseUser(ctx, claim.address, outcome)
    return outcome
  }
  const judgeDevice = async ({ caller, deviceToken }: Claim, device: DeviceKey, { epoch, userId }: BindingRow) => {
    const right =
      epoch === null ? undefined : await tokenOf(makeTokens, device, epoch).catch((error: unknown) => unreadable(ctx, caller, error))
    const isRight = right !== undefined && deviceToken !== undefined && isSameText(deviceToken, right)
    return outcomeOfDevice({ isBound: epoch !== null, userId }, { isSent: deviceToken !== undefined, isRight })
  }
  const demandDevice = (claim: Claim, outcome: DeviceProofOutcome | undefined, lacks: 'user' | 'device' = 'device'): void => {
    if (outcome === undefined) return
    counts.note(claim.caller, 'deviceProof', outcome, claim.sdkVersion)
    if (claim.caller.proofs.deviceProof !== 'required' || outcome === 'proven') return
    fail(lacks === 'user' ? 'USER_TOKEN_REQUIRED' : 'DEVICE_PROOF_REQUIRED')
  }
  /** An installation that lost its token can show by a user token that it belongs to its user; then it gets another token. */
  const admitIdentify = async (claim: Claim, device: DeviceKey, row: BindingRow, proven: string | undefined): Promise<Admission> => {
    const outcome = await judgeDevice(claim, device, row)
    const isLost = outcome === 'missing' || outcome === 'wrong'
    const owner = isLost && claim.userToken !== undefined && (claim.named ?? row.userId) === row.userId ? row.userId : null
    const shown = proven === undefined && owner !== null ? await provenOwner(judgeUser, claim, owner) : proven
    const { binding, lacks } = planBinding({ isBound: row.epoch !== null, userId: row.userId }, outcome, claim.caller.proofs, shown)
    demandDevice(claim, lacks === undefined && outcome !== undefined ? 'proven' : outcome, lacks)
    return { device, binding, row, isRequired: claim.caller.proofs.deviceProof === 'required' }
  }

  return {
    admit: async (claim) => {
      const { caller, need, named, deviceId } = claim
      const { proofs, workspaceId, environment } = caller
      const asksUser = proofs.userToken !== 'off' && need.user !== 'none'
      const asksDevice = proofs.deviceProof !== 'off' && need.device !== 'none' && need.device !== 'read'
      const device = deviceId === undefined ? undefined : { workspaceId, environment, deviceId }
      const row = device && (asksDevice || (asksUser && need.user === 'erasure')) ? await find(device) : undefined
      const userId = need.user === 'erasure' ? (row?.userId ?? undefined) : named
      const outcome = asksUser && userId !== undefined ? await demandUser(claim, userId) : undefined
      if (!asksDevice || !device || !row) return undefined
      if (need.device === 'identify') return admitIdentify(claim, device, row, outcome === 'proven' ? userId : undefined)
      demandDevice(claim, await judgeDevice(claim, device, row))
      return undefined
    },
    settle: (admission) =>
      settle(ctx, makeTokens, admission).catch((error: unknown) => {
        if (admission.isRequired) throw error
        // With `report` an identify is answered without a token when there can be none.
        ctx.log.warn({ err: error, workspaceId: admission.device.workspaceId }, 'an installation could not be given its token')
        return undefined
      }),
    makeTokens,
    note: counts.note,
    save: async () => {
      await tokens.saveUses()
      await counts.save()
    },
  }
}

/** The secret of these tokens cannot be read, so none can be checked: 503 with `required`; with `report` the token counts as wrong. */
function unreadable({ log }: Context, { workspaceId, proofs }: AppCaller, error: unknown): undefined {
  log.error({ err: error, workspaceId }, 'tokens of installations cannot be checked')
  if (proofs.deviceProof === 'required') fail('UPSTREAM_UNAVAILABLE', { retryAfter: 5 })
}

/** The user of the installation, when the call sent a right user token for them. 503 when the token cannot be checked now. */
async function provenOwner(
  judge: (claim: Claim, userId: string) => Promise<UserTokenOutcome>,
  claim: Claim,
  owner: string,
): Promise<string | undefined> {
  return (await judge(claim, owner)) === 'proven' ? owner : undefined
}

/** Wrong tokens are counted by address, so whoever tries many is slowed down. A right token is never refused for them. */
async function refuseUser({ kv, clock }: Context, address: string, outcome: Exclude<UserTokenOutcome, 'proven'>): Promise<never> {
  if (outcome === 'missing') fail('USER_TOKEN_REQUIRED')
  const { tokens, seconds } = LIMITS.wrongUserTokens
  const { granted, endsAt } = await kv.take(`user-token:${address}`, 1, tokens, seconds, clock.ms())
  if (granted > 0) throw refusalWith('USER_TOKEN_INVALID', { reason: outcome })
  return fail('IP_RATE_LIMITED', {
    message: 'Too many wrong user tokens from this address',
    retryAfter: Math.max(1, Math.ceil((endsAt - clock.ms()) / 1000)),
  })
}

/** Undefined: another call bound the installation at the same moment, and that call got the token. */
async function settle(
  { db, clock, signals }: Context,
  makeTokens: MakeDeviceTokens,
  { device, binding, row }: Admission,
): Promise<string | undefined> {
  const now = clock.now()
  if (binding === 'none') return undefined
  if (binding === 'keep') {
    if (row.boundAt && now.getTime() - row.boundAt.getTime() > DAY_MS) await touchBinding(db, device, now)
    return tokenOf(makeTokens, device, row.epoch ?? 0)
  }
  // The epoch follows the clock: an installation that was erased and comes back gets another token than it had.
  const epoch = Math.max(Math.floor(now.getTime() / 1000), (row.epoch ?? 0) + 1)
  const token = await tokenOf(makeTokens, device, epoch)
  const isBound =
    row.epoch === null ? await insertBinding(db, device, epoch, now) : await replaceEpoch(db, device, { from: row.epoch, to: epoch }, now)
  await signals.announce({ kind: 'device', workspaceId: device.workspaceId, deviceId: device.deviceId })
  return isBound ? token : undefined
}

async function tokenOf(makeTokens: MakeDeviceTokens, device: DeviceKey, epoch: number): Promise<string | undefined> {
  const [token] = await makeTokens(device.workspaceId, [{ ...device, epoch }])
  return token
}
