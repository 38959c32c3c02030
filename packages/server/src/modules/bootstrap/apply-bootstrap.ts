/** Makes the installation what the bootstrap file says: one transaction for each workspace, by the commands that routes call. */
import { createHmac, hash } from 'node:crypto'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { Context } from '../../context.ts'
import { lockSignUp } from '../../db/locks.ts'
import { ApiError } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { beginAudited, inRequest } from '../../infra/request-scope.ts'
import { isSerializationFailure, isTimeout } from '../../infra/unavailable.ts'
import { applyDocument, refuseDocument, finishDocument } from '../as-code/index.ts'
import { declareChannel, refuseDeclared } from '../channels/index.ts'
import { holdCatalog } from '../strings/index.ts'
import {
  declareKey,
  declareMember,
  declarePlan,
  findDeclared,
  makeWorkspace,
  passwordNote,
  renameWorkspace,
  saveDeclared,
  type Declared,
  type DeclaredPart,
} from '../workspaces/index.ts'
import { declaredKey } from './key-files.ts'
import { BootstrapFault, type ReadWorkspace } from './read-bootstrap.ts'

const ACTOR = 'bootstrap'

/** Returns what was done, and what of the file was not and why, in lines that hold no secret and no address of a person. */
export async function applyBootstrap(ctx: Context, workspaces: readonly ReadWorkspace[]): Promise<string> {
  return inRequest('bootstrap', async () => {
    beginAudited({
      actor: { kind: 'operator', id: ACTOR },
      action: 'bootstrap',
      object: undefined,
      address: '',
      userAgent: '',
      session: undefined,
      // Only what is changed leaves an entry.
      noted: new Set(workspaces.map(({ id }) => id)),
    })
    return applyAll(ctx, workspaces)
  })
}

async function applyAll(ctx: Context, workspaces: readonly ReadWorkspace[]): Promise<string> {
  const lines: string[] = []
  const done: string[] = []
  try {
    const changed: ReadWorkspace[] = []
    for (const workspace of workspaces) if (await differs(ctx, workspace)) changed.push(workspace)
    for (const workspace of changed) {
      lines.push(...(await applyWorkspace(ctx, workspace)))
      done.push(workspace.at)
    }
  } catch (error) {
    if (error instanceof BootstrapFault) error.tell(ctx.config.bootstrap, done)
    throw error
  }
  return lines.map((line) => `Bootstrap: ${line}\n`).join('')
}

/** Whether anything of it is to be applied; refuses before that what takes other machines to check, and what cannot be read. */
async function differs(ctx: Context, workspace: ReadWorkspace): Promise<boolean> {
  const parts = differingParts(ctx, workspace, await findDeclared(ctx.db, workspace.id))
  if (parts.has('channels'))
    for (const [index, channel] of (workspace.channels ?? []).entries())
      await at(`${workspace.at}.channels[${index}]`, () => refuseDeclared(ctx, workspace.id, channel))
  if (parts.has('document')) await at(workspace.at, () => refuseDocument(ctx, workspace.id, workspace.document))
  return parts.size > 0
}

async function applyWorkspace(ctx: Context, workspace: ReadWorkspace): Promise<string[]> {
  const { at: where, id } = workspace
  const now = ctx.clock.now()
  // Whoever comes second waits for the first, which may take longer than a statement may.
  const isConflict = (error: unknown) => isSerializationFailure(error) || isTimeout(error)
  const { lines, touched } = await ctx.change({ workspaceId: id, actor: ACTOR }, (change) => applyIn(ctx, change, workspace), isConflict)
  await finishDocument(ctx, id, touched, now)
  return lines.map((line) => `${where} ${line}`)
}

type Done = { lines: string[]; touched: string[] }

async function applyIn(ctx: Context, change: Change, workspace: ReadWorkspace): Promise<Done> {
  // One process after another, which also wait for whoever signs up: an account is opened once, and a workspace made once.
  await lockSignUp(change.tx)
  const before = await findDeclared(change.tx, workspace.id)
  if (before?.isEnding) return { lines: ['is being deleted, so nothing of it was applied'], touched: [] }
  const parts = differingParts(ctx, workspace, before)
  if (parts.size === 0) return { lines: [], touched: [] }
  if (!before) await makeWorkspace(ctx, change, workspace)
  // Before all other rows of the workspace.
  const catalog = await holdCatalog(change)
  if (before && parts.has('name')) await renameWorkspace(change, workspace.name)
  const notes: string[] = []
  if (parts.has('members')) notes.push(...(await applyMembers(ctx, change, workspace)))
  if (parts.has('passwords')) notes.push(...(await notePasswords(change, workspace)))
  if (parts.has('keys')) notes.push(...(await applyKeys(ctx, change, workspace)))
  if (parts.has('plan')) await at(`${workspace.at}.plan`, () => declarePlan(change, workspace.plan ?? {}))
  const touched = parts.has('document') ? await at(workspace.at, () => applyDocument(ctx, change, catalog, workspace.document)) : []
  if (parts.has('channels'))
    for (const [index, channel] of (workspace.channels ?? []).entries())
      await at(`${workspace.at}.channels[${index}]`, () => declareChannel(ctx, change, channel))
  await saveDeclared(change.tx, workspace.id, { ...before?.declared, ...Object.fromEntries(parts) })
  const applied = [...parts.keys()].filter((part) => part !== 'passwords')
  if (applied.length > 0) notes.unshift(`${before ? 'was changed' : 'was made'}: ${applied.join(', ')}`)
  return { lines: notes, touched }
}

async function applyMembers(ctx: Context, change: Change, { at: where, members }: ReadWorkspace): Promise<string[]> {
  const notes: string[] = []
  for (const [index, member] of members.entries()) {
    const note = await at(`${where}.members[${index}]`, () => declareMember(ctx, change, member))
    if (note !== undefined) notes.push(`members[${index}] ${note}`)
  }
  return notes
}

/** They are set only when an account is made; who declares another one is told so. */
async function notePasswords({ tx }: Change, { members }: ReadWorkspace): Promise<string[]> {
  const notes: string[] = []
  for (const [index, member] of members.entries()) {
    const note = await passwordNote(tx, member)
    if (note !== undefined) notes.push(`members[${index}] ${note}`)
  }
  return notes
}

async function applyKeys(ctx: Context, change: Change, { id, at: where, keys = [] }: ReadWorkspace): Promise<string[]> {
  const notes: string[] = []
  for (const [index, key] of keys.entries()) {
    const place = `${where}.keys[${index}]`
    const note = await at(place, () => declareKey(ctx, change, declaredKey(id, key, place)))
    if (note !== undefined) notes.push(`keys[${index}] ${note}`)
  }
  return notes
}

/**
 * Parts that the file names and that were applied otherwise, or never, with their digests. A part that is the same is left
 * alone, whatever people made of it in the dashboard since. Passwords and secrets of channels may be short, so their digests
 * take the server's own key.
 */
function differingParts(ctx: Context, workspace: ReadWorkspace, before: Declared | undefined): Map<DeclaredPart, string> {
  const { name, members, keys, plan, channels, document } = workspace
  const digest = (value: unknown) => hash('sha256', canonicalJson(value), 'hex')
  const keyed = (value: unknown) => createHmac('sha256', ctx.secrets.derive('declared parts')).update(canonicalJson(value)).digest('hex')
  const digests: Record<DeclaredPart, string | undefined> = {
    name: digest(name),
    members: digest(members.map(({ email, role, canApprove }) => ({ email, role, canApprove }))),
    passwords: keyed(members.map(({ email, password }) => ({ email, password }))),
    keys: keys && digest(keys),
    plan: plan && digest(plan),
    document: document === undefined ? undefined : digest(document),
    channels: channels && keyed(channels),
  }
  const named = Object.entries(digests) as [DeclaredPart, string | undefined][]
  return new Map(named.flatMap(([part, is]) => (is === undefined || before?.declared[part] === is ? [] : [[part, is] as const])))
}

/** A refusal of a command says where in the file it comes from. */
async function at<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) throw new BootstrapFault(`${where}: ${error.message}`)
    throw error
  }
}
