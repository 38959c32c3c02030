import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Role } from '../../http/caller.ts'
import { hashPassword } from '../../infra/crypto.ts'
import { openAccount } from './accounts.ts'
import * as queries from './queries.ts'

export type NewMember = { email: string; name: string; password: string; role: Role; canApprove?: boolean }

/** G-06. A person who already has an account joins with it: the sent name and password are then not used. */
export async function addMember(ctx: Context, workspaceId: string, input: NewMember): Promise<queries.Member> {
  const passwordHash = await hashPassword(input.password)
  return ctx.db.transaction().execute(async (tx) => {
    const known = await queries.findAccountByEmail(tx, input.email)
    const userId = known?.id ?? (await openAccount(ctx, tx, input, passwordHash)).userId
    await queries.insertMember(tx, workspaceId, userId, input.role, input.canApprove ?? false, ctx.clock.now())
    return (await queries.findMember(tx, workspaceId, userId)) ?? failWith(404, 'member not found')
  })
}

export async function changeMember(
  ctx: Context,
  workspaceId: string,
  userId: string,
  change: { role?: Role; canApprove?: boolean },
): Promise<queries.Member> {
  return ctx.db.transaction().execute(async (tx) => {
    const admins = await queries.lockAdmins(tx, workspaceId)
    if (change.role && change.role !== 'admin') refuseLastAdmin(admins, userId)
    const update = { ...(change.role && { role: change.role }), ...(change.canApprove !== undefined && { can_approve: change.canApprove }) }
    if (Object.keys(update).length > 0) await queries.updateMember(tx, workspaceId, userId, update)
    return (await queries.findMember(tx, workspaceId, userId)) ?? failWith(404, 'member not found')
  })
}

export async function removeMember(ctx: Context, workspaceId: string, userId: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const admins = await queries.lockAdmins(tx, workspaceId)
    refuseLastAdmin(admins, userId)
    await queries.deleteMember(tx, workspaceId, userId)
  })
}

function refuseLastAdmin(admins: readonly string[], userId: string): void {
  if (admins.length === 1 && admins[0] === userId) failWith(409, 'A workspace keeps at least one admin')
}
