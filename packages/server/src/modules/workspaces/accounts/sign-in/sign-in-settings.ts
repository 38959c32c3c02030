/** What a workspace asks of those who sign in to it. */
import { administers } from '@contentflow/core/access/permissions.ts'
import { hasSecondFactor, lacksSecondFactor } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Context } from '../../../../context.ts'
import { fail, failWith, refusalWith } from '../../../../errors.ts'
import type { AccountCaller, MemberCaller } from '../../../../http/callers/caller.ts'
import { isRecentSession } from '../../../../http/callers/recent-session.ts'
import { providersOfInstallation, providersOfWorkspace } from '../oidc/providers.ts'
import { findMember, findMembership, type FoundMembership } from '../members/queries-members.ts'
import { lockSettings } from '../../queries.ts'
import { findSignInSettings, saveSignInSettings, type SignInSettings } from './queries-sign-in-settings.ts'

/** `lacksSecondFactor`: the workspace asks for one that this session has not proved. */
type Admitted = Pick<FoundMembership, 'role' | 'mayApprove' | 'ownRole' | 'isSuspended'> & { lacksSecondFactor: boolean }

/** The membership by which somebody may act in a workspace, with the session that they have. The one place that decides it. */
export async function admitMember(ctx: Context, account: AccountCaller, workspaceId: string): Promise<Admitted | undefined> {
  const found = await findMembership(ctx.db, workspaceId, account.accountId)
  if (!found) return undefined
  const { session } = account
  if (session.workspaceId !== null && session.workspaceId !== workspaceId && session.workspaceId !== found.parentId) return undefined
  if (found.breakGlass !== undefined && !isLetIn(account, found)) throw await refuseWithoutProvider(ctx, found.parentId ?? workspaceId)
  const { role, mayApprove, ownRole, isSuspended, secondFactor } = found
  const lacksFactor = lacksSecondFactor(secondFactor, administers(role, ownRole?.permissions), session.amr)
  return { role, mayApprove, ...(ownRole && { ownRole }), isSuspended, lacksSecondFactor: lacksFactor }
}

/** By a provider, or as one of the admins who come in with a passkey when the provider is away. */
function isLetIn({ accountId, session }: AccountCaller, { role, breakGlass = [] }: FoundMembership): boolean {
  if (session.providerId !== null) return true
  return role === 'admin' && session.amr.includes('webauthn') && breakGlass.includes(accountId)
}

async function refuseWithoutProvider(ctx: Context, workspaceId: string) {
  const all = [...(await providersOfWorkspace(ctx, workspaceId)), ...(await providersOfInstallation(ctx))]
  const first = all.find(({ isOn }) => isOn)
  return refusalWith('SSO_REQUIRED', first ? { signInUrl: `/api/v1/auth/oidc/${first.id}/start` } : {})
}

export type SignInChange = { [K in keyof SignInSettings]?: SignInSettings[K] | undefined }

/**
 * Changes what is named. Nobody requires what they have not done themselves, which would lock everybody out: a provider they came
 * in by just now, a second factor.
 */
export async function changeSignIn(ctx: Context, caller: MemberCaller, change: SignInChange): Promise<SignInSettings> {
  const { workspaceId, accountId, session } = caller
  return ctx.change({ workspaceId, actor: accountId }, async ({ tx, audited }) => {
    await lockSettings(tx, workspaceId)
    const before = await findSignInSettings(tx, workspaceId)
    const { ssoRequired = before.ssoRequired, breakGlass = before.breakGlass, secondFactor = before.secondFactor } = change
    const { sessionIdleMinutes = before.sessionIdleMinutes } = change
    const hasJustUsed = session.providerId !== null && isRecentSession(ctx, caller)
    if (ssoRequired && !before.ssoRequired && !hasJustUsed) fail('SSO_NOT_USED')
    const isAsked = change.secondFactor !== undefined && change.secondFactor !== 'off'
    if (isAsked && !hasSecondFactor(session.amr))
      fail('SECOND_FACTOR_REQUIRED', { message: 'Sign in with a second factor of your own first: then ask others for theirs' })
    for (const userId of change.breakGlass ?? []) {
      const member = await findMember(tx, workspaceId, userId)
      if (member?.role !== 'admin' || member.invitedUntil) failWith(400, 'breakGlass must name admins of this workspace')
    }
    const after = { ssoRequired, breakGlass: [...new Set(breakGlass)], secondFactor, sessionIdleMinutes }
    await saveSignInSettings(tx, workspaceId, after)
    audited('setting', 'sign-in', before, after)
    return after
  })
}

/** The operator's way out, where a workspace has locked itself out. */
export async function stopRequiringProvider(ctx: Context, workspaceId: string): Promise<void> {
  await ctx.change({ workspaceId, actor: 'operator' }, async ({ tx, audited }) => {
    await lockSettings(tx, workspaceId)
    const before = await findSignInSettings(tx, workspaceId)
    const after = { ...before, ssoRequired: false }
    await saveSignInSettings(tx, workspaceId, after)
    audited('setting', 'sign-in', before, after)
  })
}
