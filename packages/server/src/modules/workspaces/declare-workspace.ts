/** A workspace that whoever runs the installation declares, as part of a change of it. */
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { lockSignUp } from '../../db/locks.ts'
import { failWith } from '../../errors.ts'
import { auditedObject } from '../../infra/audit/audit.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import type { Change } from '../../infra/change.ts'
import { hashPassword } from '../../infra/secrets/crypto.ts'
import { hasAccounts } from './accounts/queries-accounts.ts'
import { insertEmptyWorkspace, openAccount } from './accounts/accounts.ts'
import { refuseEasyPassword } from './accounts/sign-in/own-passwords.ts'
import { insertFirstAdmin } from './accounts/members/queries-members.ts'
import { lockSettings, updateWorkspaceName, type SettingsChange } from './queries.ts'
import { refuseWithoutLiveKey, saveSettings } from './settings.ts'

/** `sourceLocale`: of a new one. */
export type DeclaredWorkspace = { id: string; name: string; sourceLocale?: string | null }
/** What of it the operator decides; what is left out stays. */
export type DeclaredPlan = Partial<Record<'customerLimit' | 'requestsPerMinute' | 'contentMegabytes' | 'mediaMegabytes', number | null>> & {
  derivedKeys?: boolean
}

/** Makes the workspace; nobody is a member of it yet. */
export async function makeWorkspace(ctx: Context, change: Change, { id, name, sourceLocale = 'en' }: DeclaredWorkspace): Promise<void> {
  await insertEmptyWorkspace(ctx, change.tx, { id, name, sourceLocale, isSandbox: false, calendar: null, openedBy: null })
  change.audited('workspace', id, undefined, { name })
}

export async function renameWorkspace(change: Change, name: string): Promise<void> {
  const { tx, workspaceId, now } = change
  const before = await lockSettings(tx, workspaceId)
  await updateWorkspaceName(tx, workspaceId, name, now)
  change.audited('workspace', workspaceId, { name: before.name }, { name })
}

/** Writes what differs. After its keys: apps without one are not locked out of derivable ones. */
export async function declarePlan(change: Change, { derivedKeys, ...plan }: DeclaredPlan): Promise<void> {
  const row = await lockSettings(change.tx, change.workspaceId)
  if (derivedKeys === false) await refuseWithoutLiveKey(change)
  const wanted: SettingsChange = {
    ...(derivedKeys !== undefined && { derived_keys_enabled: derivedKeys }),
    ...(plan.customerLimit !== undefined && { customer_limit: plan.customerLimit }),
    ...(plan.requestsPerMinute !== undefined && { requests_per_minute: plan.requestsPerMinute }),
    ...(plan.contentMegabytes !== undefined && { content_megabytes: plan.contentMegabytes }),
    ...(plan.mediaMegabytes !== undefined && { media_megabytes: plan.mediaMegabytes }),
  }
  const differing = Object.entries(wanted).filter(([name, value]) => row[name as keyof SettingsChange] !== value)
  if (differing.length > 0) await saveSettings(change, Object.fromEntries(differing))
}

const NAME = 'My workspace'

/** The account of an installation that has none, with a workspace of its own; false when it has one. */
export async function openFirstAccount(ctx: Context, email: string, readPassword: () => string): Promise<boolean> {
  if (await hasAccounts(ctx.db)) return false
  const password = readPassword()
  if (password.length < LIMITS.passwordMinLength || password.length > 200) failWith(400, 'The password must be of 8 to 200 characters')
  refuseEasyPassword(password, email)
  const passwordHash = await hashPassword(password)
  return inTransaction(ctx.db, async (tx) => {
    await lockSignUp(tx)
    if (await hasAccounts(tx)) return false
    const account = await openAccount(ctx, tx, { email, name: 'Admin' }, passwordHash)
    const beginning = { sourceLocale: 'en', isSandbox: false, calendar: null }
    const { id } = await insertEmptyWorkspace(ctx, tx, { name: NAME, ...beginning, openedBy: account.userId })
    await insertFirstAdmin(tx, id, account.userId, ctx.clock.now())
    const said = { actor: { kind: 'operator' as const, id: 'bootstrap' }, action: 'bootstrap' }
    await ctx.audit.write(tx, id, [auditedObject('workspace', id, undefined, { name: NAME })], said)
    return true
  })
}
