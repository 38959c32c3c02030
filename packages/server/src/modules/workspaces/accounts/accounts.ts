import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { fail, failWith } from '../../../errors.ts'
import { lockSignUp } from '../../../db/locks.ts'
import { auditedObject } from '../../../infra/audit/audit.ts'
import { decoyPasswordHash, randomId, uuidv7 } from '../../../infra/secrets/crypto.ts'
import { noteAudited } from '../../../infra/request-scope.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { openHeads } from '../../content/index.ts'
import { openCatalog } from '../../strings/index.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { accountEmail } from './account-email.ts'
import * as accounts from './queries-accounts.ts'
import { insertFirstAdmin } from './members/queries-members.ts'
import * as queries from '../queries.ts'
import { refuseWithoutSetupToken } from './sign-in/setup-token.ts'
import { openSession } from './sign-in/sessions.ts'
import { mustChangeFirst } from './sign-in/own-passwords.ts'
import { signUpCounters, spendTry, workspaceCounters } from './sign-in/tries.ts'

type NewAccount = { email: string; password: string; name: string }
/** The caller of a sign-up. */
type Applicant = { address: string; userAgent: string; isOwnPage: boolean }
/** What a workspace begins with besides its name. */
type Beginning = { sourceLocale: string | null; calendar: WorkspaceCalendar | null }

/** Opens an account with a workspace of its own, where it is admin (G-02). The costly hash is made for those who may only. */
export async function signUp(
  ctx: Context,
  passwords: Passwords,
  applicant: Applicant,
  input: NewAccount & { workspaceName: string; setupToken?: string } & Beginning,
) {
  await refuseClosedSignUp(ctx, ctx.db)
  await refuseWithoutSetupToken(ctx, input.setupToken)
  const email = foldEmail(accountEmail(input.email))
  const { address } = applicant
  await spendTry(ctx, signUpCounters(address, email), 'SIGNUP_RATE_LIMITED')
  const mustChange = mustChangeFirst(ctx, { ...input, ...applicant })
  if (await accounts.findAccountByEmail(ctx.db, email)) failWith(409, 'An account with this email exists')
  const passwordHash = await passwords.hash(address, input.password)
  return inTransaction(ctx.db, async (tx) => {
    await lockSignUp(tx)
    await refuseClosedSignUp(ctx, tx)
    const account = await openAccount(ctx, tx, { ...input, mustChange }, passwordHash)
    const workspace = await insertWorkspaceFor(ctx, tx, account.userId, input.workspaceName, input)
    await ctx.audit.write(tx, workspace.id, [auditedWorkspace(workspace)], { actor: { kind: 'member', id: account.userId } })
    return { ...(await openSession(ctx, tx, account.userId, applicant, { amr: ['pwd'] })), user: account, workspace }
  })
}

async function refuseClosedSignUp(ctx: Context, db: Db): Promise<void> {
  if (ctx.config.signup === 'off') failWith(403, 'Signing up is switched off in this installation')
  if (ctx.config.signup === 'first' && (await accounts.hasAccounts(db)))
    failWith(403, 'This installation has its first account; ask an admin to add you as a member')
}

/** Whether the first account may still be opened: what the sign-in page offers instead of signing in. */
export async function mayOpenFirstAccount(ctx: Context): Promise<boolean> {
  return ctx.config.signup !== 'off' && !(await accounts.hasAccounts(ctx.db))
}

/** A further workspace of somebody signed in, of whom there are so many only. */
export async function createWorkspace(ctx: Context, accountId: string, name: string, beginning: Beginning) {
  if (!ctx.config.areWorkspacesOpen) fail('WORKSPACES_BY_OPERATOR')
  await spendTry(ctx, workspaceCounters(accountId), 'WORKSPACES_RATE_LIMITED')
  const workspace = await inTransaction(ctx.db, async (tx) => {
    await refuseTooManyWorkspaces(ctx, tx, accountId)
    const made = await insertWorkspaceFor(ctx, tx, accountId, name, beginning)
    await ctx.audit.write(tx, made.id, [auditedWorkspace(made)])
    return made
  })
  noteAudited(workspace.id)
  return workspace
}

function auditedWorkspace({ id, name }: { id: string; name: string }) {
  return auditedObject('workspace', id, undefined, { name })
}

/** Counts under a lock of the account, until the transaction ends. A sandbox counts once it is linked no longer. */
export async function refuseTooManyWorkspaces({ config }: Context, tx: Db, accountId: string): Promise<void> {
  const most = config.workspacesPerAccount
  if (most === Infinity) return
  await accounts.lockAccount(tx, accountId)
  if ((await queries.countOpenedBy(tx, accountId)) >= most)
    fail('WORKSPACE_LIMIT', { message: `One account opens at most ${most} workspaces; ask whoever runs the server for more` })
}

/** The operator makes a workspace for somebody with an account, whoever else may make workspaces. */
export async function createWorkspaceFor(ctx: Context, email: string, name: string, beginning: Beginning) {
  const account = (await accounts.findAccountNamed(ctx.db, email)) ?? failWith(404, 'account not found')
  const workspace = await inTransaction(ctx.db, async (tx) => {
    const made = await insertEmptyWorkspace(ctx, tx, { name, ...beginning, isSandbox: false, openedBy: null })
    await insertFirstAdmin(tx, made.id, account.id, ctx.clock.now())
    await ctx.audit.write(tx, made.id, [auditedWorkspace(made)])
    return made
  })
  noteAudited(workspace.id)
  return workspace
}

async function insertWorkspaceFor(ctx: Context, tx: Db, accountId: string, name: string, { sourceLocale, calendar }: Beginning) {
  const workspace = await insertEmptyWorkspace(ctx, tx, { name, sourceLocale, isSandbox: false, calendar, openedBy: accountId })
  await insertFirstAdmin(tx, workspace.id, accountId, ctx.clock.now())
  return workspace
}

export async function insertEmptyWorkspace(
  ctx: Context,
  tx: Db,
  { id = randomId(12), ...input }: Omit<queries.NewWorkspace, 'id'> & { id?: string },
): Promise<{ id: string; name: string }> {
  await queries.insertWorkspace(tx, { id, ...input }, ctx.clock.now())
  await openHeads(tx, id, ctx.clock.now())
  await ctx.audit.begin(tx, id)
  await openCatalog(tx, id, input.sourceLocale, ctx.clock.now())
  return { id, name: input.name }
}

/** `isProved`: a provider has proved the address. */
type AccountOrigin = { madeBy?: string; mustChange?: boolean; isProved?: boolean }

/** `madeBy`: an admin, for somebody else. `mustChange`: its password, at the first sign-in in a browser. */
export async function openAccount(
  ctx: Context,
  tx: Db,
  { email, name, madeBy, mustChange = false, isProved = false }: Omit<NewAccount, 'password'> & AccountOrigin,
  /** null: it has no password, so no password fits. */
  passwordHash: string | null,
): Promise<accounts.Account> {
  const userId = uuidv7(ctx.clock.ms())
  const address = accountEmail(email)
  await accounts.insertAccount(tx, {
    id: userId,
    email: address,
    email_folded: foldEmail(address),
    name,
    password_hash: passwordHash ?? decoyPasswordHash(),
    password_set: passwordHash !== null,
    email_verified_at: isProved ? ctx.clock.now() : null,
    made_by: madeBy ?? null,
    must_change_password: mustChange,
    created_at: ctx.clock.now(),
  })
  return { userId, email: address, name }
}
