/** Writing providers: of a workspace by its admins, of the installation by the operator. */
import { grantOfMember } from '@contentflow/core/access/grants.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { issuerFault, readDomain, type DirectoryRole, type GroupRow } from '@contentflow/core/sign-in/provider.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail, failWith } from '../../../../errors.ts'
import { requireGrant } from '../../../../http/callers/auth.ts'
import type { MemberCaller } from '../../../../http/callers/caller.ts'
import { randomHex } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { lockSettings } from '../../queries.ts'
import { findOwnRole } from '../members/queries-roles.ts'
import { checkDomains } from './domains.ts'
import { DEFAULT_GROUPS_CLAIM, DEFAULT_SCOPES, ENVIRONMENT, idInWorkspace, placeOfSecret } from './providers.ts'
import { unlinkFrom } from './queries-provisioned.ts'
import * as queries from './queries-providers.ts'

export type ProviderInput = {
  name: string
  issuer?: string
  clientId?: string
  /** null: it has none; left out: as before. */
  clientSecret?: string | null
  scopes?: string[]
  groupsClaim?: string
  mapping?: { group: string; workspaceId?: string; role?: DirectoryRole; roleId?: string; canApprove?: boolean }[]
  defaultRole?: DirectoryRole | null
  domains?: string[]
  isOn?: boolean
}

export async function saveProviderOfWorkspace(ctx: Context, caller: MemberCaller, name: string, input: ProviderInput): Promise<void> {
  const { workspaceId, accountId } = caller
  const id = idInWorkspace(workspaceId, name)
  await ctx.change({ workspaceId, actor: accountId }, async ({ tx, now, audited }) => {
    await lockSettings(tx, workspaceId)
    const all = await queries.listProviders(tx, workspaceId)
    const before = all.find((each) => each.id === id)
    if (!before && all.length >= LIMITS.identityProviders) fail('PROVIDER_LIMIT')
    const entry = readInput(ctx, { id, workspaceId, before, now }, input)
    if (input.mapping) await requireRoles(tx, readMapping(workspaceId, input.mapping))
    await requireOwnRights(tx, caller, entry)
    await queries.putProvider(tx, { ...entry, changed_by: accountId })
    audited('identity-provider', name, before && toState(before), toState(entry))
    const domains = new Set([...all.filter((each) => each.id !== id).flatMap((each) => each.domains), ...entry.domains])
    await keepDomains(tx, workspaceId, [...domains], now)
  })
  await checkDomains(ctx, workspaceId)
}

async function keepDomains(tx: Db, workspaceId: string, domains: readonly string[], now: Date): Promise<void> {
  if (domains.length > LIMITS.signInDomains) failWith(400, `domains of all providers together must be at most ${LIMITS.signInDomains}`)
  await queries.deleteOtherDomains(tx, workspaceId, domains)
  for (const domain of domains) await queries.insertDomain(tx, workspaceId, domain, randomHex(CODE_BYTES), now)
}
const CODE_BYTES = 16

export async function deleteProviderOfWorkspace(ctx: Context, { workspaceId, accountId }: MemberCaller, name: string): Promise<void> {
  await ctx.change({ workspaceId, actor: accountId }, async ({ tx, now, audited }) => {
    await lockSettings(tx, workspaceId)
    const id = idInWorkspace(workspaceId, name)
    const all = await queries.listProviders(tx, workspaceId)
    const before = all.find((each) => each.id === id) ?? failWith(404, 'provider not found')
    audited('identity-provider', name, toState(before))
    await queries.deleteProvider(tx, id)
    await unlinkFrom(tx, workspaceId, id)
    const left = all.filter((each) => each.id !== id).flatMap((each) => each.domains)
    await keepDomains(tx, workspaceId, [...new Set(left)], now)
  })
}

/** Of that of the environment everything but where it is and how it knows this installation. */
export async function saveProviderOfInstallation(ctx: Context, id: string, input: ProviderInput): Promise<void> {
  const { oidc } = ctx.config
  const isOfEnvironment = id === ENVIRONMENT
  if (isOfEnvironment && !oidc) failWith(404, 'provider not found')
  if (isOfEnvironment && (input.issuer ?? input.clientId ?? input.clientSecret) !== undefined)
    failWith(400, 'issuer, clientId and clientSecret of this provider come from the environment')
  const named = isOfEnvironment && oidc ? { ...input, issuer: oidc.issuer, clientId: oidc.clientId } : input
  await inTransaction(ctx.db, async (tx) => {
    const all = await queries.listProviders(tx, null)
    const before = all.find((each) => each.id === id)
    if (!before && all.length >= LIMITS.identityProviders) fail('PROVIDER_LIMIT')
    if (named.mapping) await requireRoles(tx, readMapping(null, named.mapping))
    await queries.putProvider(tx, readInput(ctx, { id, workspaceId: null, before, now: ctx.clock.now() }, named))
  })
}

export async function deleteProviderOfInstallation(ctx: Context, id: string): Promise<void> {
  if (id === ENVIRONMENT && ctx.config.oidc)
    failWith(409, 'This provider comes from the environment: take its settings away, or switch it off')
  await inTransaction(ctx.db, async (tx) => {
    const found = await queries.findProviderRow(tx, id)
    if (!found || found.workspace_id !== null) failWith(404, 'provider not found')
    await queries.deleteProvider(tx, id)
  })
}

type Place = { id: string; workspaceId: string | null; before: queries.ProviderRow | undefined; now: Date }

/** What is left out of a provider that was there stays as it was. */
function readInput(ctx: Context, { id, workspaceId, before, now }: Place, input: ProviderInput) {
  const issuer = input.issuer ?? before?.issuer ?? failWith(400, 'issuer is missing')
  const clientId = input.clientId ?? before?.client_id ?? failWith(400, 'clientId is missing')
  const fault = issuerFault(issuer, ctx.config.isPrivateAllowed)
  if (fault !== undefined && !(id === ENVIRONMENT && workspaceId === null)) failWith(400, `issuer ${fault}`)
  const { scopes = before?.scopes ?? DEFAULT_SCOPES, defaultRole = before?.default_role ?? null } = input
  if (!scopes.includes('openid')) failWith(400, 'scopes must have openid among them')
  const domains = input.domains ? readDomains(input.domains) : (before?.domains ?? [])
  const mapping = input.mapping ? readMapping(workspaceId, input.mapping) : (before?.mapping ?? [])
  return {
    id,
    workspace_id: workspaceId,
    name: input.name,
    issuer,
    client_id: clientId,
    secret_sealed: sealSecret(ctx, { workspaceId, id }, input.clientSecret, isElsewhere(before, issuer) ? null : before?.secret_sealed),
    scopes,
    groups_claim: input.groupsClaim ?? before?.groups_claim ?? DEFAULT_GROUPS_CLAIM,
    mapping: JSON.stringify(mapping),
    default_role: defaultRole,
    domains,
    is_on: input.isOn ?? before?.is_on ?? true,
    created_at: before?.created_at ?? now,
    // Another version after each change, also of two in one millisecond.
    updated_at: new Date(Math.max(now.getTime(), (before?.updated_at.getTime() ?? 0) + 1)),
  }
}

type State = Pick<
  queries.ProviderRow,
  'name' | 'issuer' | 'client_id' | 'secret_sealed' | 'scopes' | 'groups_claim' | 'default_role' | 'domains'
>

/** As the audit log compares it: without who changed it, and when. */
function toState(row: State & { mapping: unknown; is_on: boolean }) {
  const { name, issuer, client_id: clientId, secret_sealed: secret, scopes, groups_claim: groupsClaim, domains } = row
  const mapping: unknown = typeof row.mapping === 'string' ? JSON.parse(row.mapping) : row.mapping
  return { name, issuer, clientId, secret, scopes, groupsClaim, mapping, defaultRole: row.default_role, domains, isOn: row.is_on }
}

/** The secret is told to whoever answers at the issuer: to another one it has to be entered again. */
function isElsewhere(before: queries.ProviderRow | undefined, issuer: string): boolean {
  return before !== undefined && before.issuer !== issuer
}

function sealSecret(
  ctx: Context,
  { workspaceId, id }: { workspaceId: string | null; id: string },
  secret: string | null | undefined,
  before: string | null | undefined,
): string | null {
  if (secret === undefined) return before ?? null
  return secret === null || secret === '' ? null : ctx.secrets.seal(secret, placeOfSecret(workspaceId, id))
}

function readDomains(sent: readonly string[]): string[] {
  return [...new Set(sent.map((text) => readDomain(text) ?? failWith(400, 'domains must be names such as example.com')))]
}

/** A workspace maps to its own roles alone. */
function readMapping(workspaceId: string | null, rows: NonNullable<ProviderInput['mapping']>): GroupRow[] {
  return rows.map(({ group, workspaceId: named, role: asked, roleId, canApprove = false }) => {
    if (workspaceId !== null && named !== undefined && named !== workspaceId) failWith(400, 'mapping names another workspace')
    const of = workspaceId ?? named ?? failWith(400, 'mapping must name a workspaceId in each row')
    if (roleId !== undefined && asked !== undefined && asked !== 'viewer') failWith(400, 'mapping takes role or roleId in a row, not both')
    const role = roleId === undefined ? (asked ?? failWith(400, 'mapping must name a role or a roleId in each row')) : 'viewer'
    return { group, workspaceId: of, role, ...(roleId !== undefined && { roleId }), canApprove: role === 'admin' || canApprove }
  })
}

/** Rows name roles that their workspace made. */
async function requireRoles(tx: Db, rows: readonly GroupRow[]): Promise<void> {
  for (const { workspaceId, roleId } of rows)
    if (roleId !== undefined && !(await findOwnRole(tx, workspaceId, roleId)))
      failWith(400, 'mapping names a roleId that is no role of the workspace')
}

/**
 * Whoever saves a provider holds everything that it gives, also by what stood in it before: whoever says where people
 * sign in could sign in as any of them. A role that is gone meanwhile gives nothing.
 */
async function requireOwnRights(tx: Db, caller: MemberCaller, entry: ReturnType<typeof readInput>): Promise<void> {
  const role = entry.default_role
  if (role !== null) requireGrant(caller, grantOfMember(role, role === 'admin'))
  for (const row of JSON.parse(entry.mapping) as GroupRow[]) {
    const ownRole = row.roleId === undefined ? undefined : await findOwnRole(tx, row.workspaceId, row.roleId)
    if (row.roleId === undefined || ownRole) requireGrant(caller, grantOfMember(row.role, row.canApprove, ownRole))
  }
}
