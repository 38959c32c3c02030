/** Providers of sign-ins: of the installation, one of which the environment may name, and of workspaces. */
import type { DirectoryRole, GroupRow } from '@contentflow/core/sign-in/provider.ts'
import type { Context } from '../../../../context.ts'
import {
  findProviderRow,
  listProviders,
  listProvidersOfDomain,
  listSealedBefore,
  replaceSecret,
  type ProviderRow,
} from './queries-providers.ts'

export type Provider = {
  id: string
  /** null: of the installation. */
  workspaceId: string | null
  name: string
  issuer: string
  clientId: string
  /** null: a public client. */
  clientSecret: string | null
  scopes: readonly string[]
  groupsClaim: string
  mapping: readonly GroupRow[]
  defaultRole: DirectoryRole | null
  domains: readonly string[]
  isOn: boolean
  changedBy: string | null
  /** Another one after each change. */
  version: string
}

/** The one that the environment names. */
export const ENVIRONMENT = 'environment'
export const DEFAULT_SCOPES = ['openid', 'email', 'profile']
export const DEFAULT_GROUPS_CLAIM = 'groups'

/** The id under which a provider of a workspace is known in the whole installation. */
export function idInWorkspace(workspaceId: string, name: string): string {
  return `${workspaceId}.${name}`
}

export function placeOfSecret(workspaceId: string | null, id: string) {
  return { workspaceId: workspaceId ?? '', row: `identity_providers/${id}` }
}

export async function findProvider(ctx: Context, id: string): Promise<Provider | undefined> {
  const row = await findProviderRow(ctx.db, id)
  if (id === ENVIRONMENT) return ofEnvironment(ctx, row)
  return row && toProvider(ctx, row)
}

export async function providersOfInstallation(ctx: Context): Promise<Provider[]> {
  const rows = await listProviders(ctx.db, null)
  const first = ofEnvironment(
    ctx,
    rows.find(({ id }) => id === ENVIRONMENT),
  )
  const others = rows.filter(({ id }) => id !== ENVIRONMENT).map((row) => toProvider(ctx, row))
  return first ? [first, ...others] : others
}

export async function providersOfWorkspace(ctx: Context, workspaceId: string): Promise<Provider[]> {
  return (await listProviders(ctx.db, workspaceId)).map((row) => toProvider(ctx, row))
}

/** What the sign-in page offers: the installation's, and those of workspaces that have proven the domain. */
export async function providersToShow(ctx: Context, domain: string | undefined): Promise<Provider[]> {
  const own = (await providersOfInstallation(ctx)).filter(({ isOn }) => isOn)
  const ofDomain = domain === undefined ? [] : await listProvidersOfDomain(ctx.db, domain)
  return [...own, ...ofDomain.map((row) => toProvider(ctx, row))]
}

/** Where it is and under which id comes from the environment; the rest is what the operator said of it, if anything. */
function ofEnvironment({ config }: Context, row: ProviderRow | undefined): Provider | undefined {
  if (!config.oidc) return undefined
  const { issuer, clientId, clientSecret } = config.oidc
  const rest = row
    ? ofRow(row)
    : { name: new URL(issuer).host, scopes: DEFAULT_SCOPES, groupsClaim: DEFAULT_GROUPS_CLAIM, mapping: [], defaultRole: null, domains: [] }
  const version = `${issuer} ${clientId} ${row?.updated_at.getTime() ?? 0}`
  const own = { id: ENVIRONMENT, workspaceId: null, issuer, clientId, clientSecret: clientSecret || null, isOn: row?.is_on ?? true }
  return { ...rest, ...own, changedBy: null, version }
}

function ofRow(row: ProviderRow) {
  const { name, scopes, groups_claim: groupsClaim, default_role: defaultRole, domains } = row
  return { name, scopes, groupsClaim, mapping: row.mapping as GroupRow[], defaultRole, domains }
}

function toProvider(ctx: Context, row: ProviderRow): Provider {
  const { id, workspace_id: workspaceId, secret_sealed: sealed } = row
  return {
    ...ofRow(row),
    id,
    workspaceId,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: sealed === null ? null : ctx.secrets.open(sealed, placeOfSecret(workspaceId, id)),
    isOn: row.is_on,
    changedBy: row.changed_by,
    version: `${row.updated_at.getTime()}`,
  }
}

/** Seals secrets with the present key, where an earlier one of CF_SECRET_KEY did. */
export async function resealProviders({ db, secrets, config }: Context): Promise<void> {
  if (config.secretKeys.length < 2) return
  for (const { id, workspaceId, sealed } of await listSealedBefore(db, secrets.present())) {
    const next = secrets.reseal(sealed, placeOfSecret(workspaceId, id))
    if (next !== undefined) await replaceSecret(db, id, sealed, next)
  }
}
