/** Members that whoever runs the installation declares: no admin asks, and nobody is invited. */
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { failWith } from '../../../../errors.ts'
import type { Role } from '../../../../http/callers/caller.ts'
import type { Change } from '../../../../infra/change.ts'
import { hashPassword, isPasswordRight } from '../../../../infra/secrets/crypto.ts'
import { openAccount } from '../accounts.ts'
import { isInactive } from '../oidc/queries-provisioned.ts'
import { findAccountNamed, type AccountRow } from '../queries-accounts.ts'
import { refuseEasyPassword } from '../sign-in/own-passwords.ts'
import { changeMembersIn } from './members.ts'
import * as queries from './queries-members.ts'

/** `name` and `password` are of the account, and said only where there is none yet. `password`: also the proof of one that is no member yet. */
export type DeclaredMember = { email: string; role: Role; canApprove?: boolean; name?: string; password?: string }

/** Why a declared password is not that of the account; undefined: it is, or none is declared. */
export async function passwordNote(tx: Db, { email, password }: DeclaredMember): Promise<string | undefined> {
  const account = password === undefined ? undefined : await findAccountNamed(tx, email)
  if (!account || password === undefined || (await isPasswordRight(password, account.password_hash))) return undefined
  return 'keeps the password that it has: one is set only when the account is made'
}

/** Makes somebody a member, or gives a member the declared role. What is not done although it is declared is returned, in a sentence. */
export async function declareMember(ctx: Context, change: Change, declared: DeclaredMember): Promise<string | undefined> {
  const { tx, workspaceId } = change
  const account = await findAccountNamed(tx, declared.email)
  const before = account && (await queries.findMember(tx, workspaceId, account.id))
  if (!before || before.invitedUntil) {
    const accountId = account ? await proveAccount(account, declared) : await openDeclared(ctx, change, declared)
    await join(ctx, change, accountId, declared)
    return undefined
  }
  const { role } = declared
  const canApprove = role === 'admin' || declared.canApprove === true
  const isSame = before.role === role && before.canApprove === canApprove && before.roleId === undefined
  if (!isSame && before.source !== undefined && !(await isInactive(tx, workspaceId, account.id)))
    return 'is managed by a directory, which says what role it has'
  if (!isSame) await changeRole(ctx, change, before, { role, canApprove })
  return undefined
}

/** The address might be anybody's who signed up with it: as everywhere, its password or a proved address makes it a member. */
async function proveAccount({ id, ...account }: AccountRow, { password }: DeclaredMember): Promise<string> {
  const isTheirs =
    account.email_verified_at !== null || (password !== undefined && (await isPasswordRight(password, account.password_hash)))
  if (isTheirs) return id
  return failWith(
    403,
    'has an account already whose address is not proved and whose password is another one: give its password, or invite it in the dashboard',
  )
}

async function openDeclared(ctx: Context, { tx }: Change, { email, name, password }: DeclaredMember): Promise<string> {
  if (name === undefined || password === undefined) return failWith(400, 'has no account yet, which takes a name and a password')
  refuseEasyPassword(password, email)
  return (await openAccount(ctx, tx, { email, name }, await hashPassword(password))).userId
}

async function join(ctx: Context, change: Change, accountId: string, { role, canApprove = false }: DeclaredMember): Promise<void> {
  const { tx, workspaceId, now } = change
  const { after } = await changeMembersIn(ctx, tx, { workspaceId, accountId }, async () => {
    const isFirst = role === 'admin' && (await queries.lockAdmins(tx, workspaceId)).length === 0
    if (isFirst) await queries.insertFirstAdmin(tx, workspaceId, accountId, now)
    else await queries.insertMember(tx, { workspaceId, accountId, role, canApprove, now, invitedBy: null })
    return { userId: accountId }
  })
  change.audited('member', accountId, undefined, shown(after))
}

type Rights = { role: Role; canApprove: boolean }

async function changeRole(ctx: Context, change: Change, member: queries.Member, { role, canApprove }: Rights): Promise<void> {
  const { tx, workspaceId } = change
  const of = { workspaceId, accountId: member.userId }
  const { before, after } = await changeMembersIn(ctx, tx, of, async () => {
    await queries.updateMember(tx, workspaceId, member.userId, { role, role_id: null, can_approve: canApprove })
    return { userId: member.userId }
  })
  change.audited('member', member.userId, shown(before), shown(after))
}

const shown = (member: queries.Member | undefined) => member && { role: member.role, canApprove: member.canApprove }
