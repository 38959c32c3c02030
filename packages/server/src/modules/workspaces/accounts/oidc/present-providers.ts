import { LIMITS } from '@contentflow/core/limits.ts'
import { domainRecord } from '@contentflow/core/sign-in/provider.ts'
import { Nullable, Time, Type } from '../../../../http/schema.ts'
import { RoleName } from '../../present.ts'
import type { Provider } from './providers.ts'
import type { DomainRow } from './queries-providers.ts'

const Group = Type.String({ minLength: 1, maxLength: 300, description: 'As the provider names it; at Microsoft the object id' })
const Secret = Type.Optional(
  Nullable(Type.String({ maxLength: 2_000, description: 'null: none, for a public client. Left out: the one before' })),
)
const common = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'On the button of the sign-in page' }),
  issuer: Type.Optional(Type.String({ maxLength: 500, examples: ['https://login.example.com/realms/staff'] })),
  clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  clientSecret: Secret,
  scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' }), { minItems: 1, maxItems: 20 })),
  groupsClaim: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Where the groups stand in the token, such as groups or realm_access.roles' }),
  ),
  defaultRole: Type.Optional(Nullable(RoleName)),
  domains: Type.Optional(Type.Array(Type.String({ maxLength: 254 }), { maxItems: LIMITS.signInDomains })),
  isOn: Type.Optional(Type.Boolean()),
}
const RoleId = Type.Optional(
  Type.String({ maxLength: 100, description: 'A role of the workspace (GET /roles); it counts instead of role, which is then viewer' }),
)
const row = { group: Group, role: Type.Optional(RoleName), roleId: RoleId, canApprove: Type.Optional(Type.Boolean()) }
const rows = { maxItems: LIMITS.groupMappings, description: 'In order: the first that fits decides' }

export const WorkspaceProviderBody = Type.Object({ ...common, mapping: Type.Optional(Type.Array(Type.Object(row), rows)) })
export const InstallationProviderBody = Type.Object({
  ...common,
  mapping: Type.Optional(Type.Array(Type.Object({ ...row, workspaceId: Type.String({ maxLength: 40 }) }), rows)),
})

const shown = {
  id: Type.String(),
  name: Type.String(),
  issuer: Type.String(),
  clientId: Type.String(),
  hasSecret: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  groupsClaim: Type.String(),
  mapping: Type.Array(
    Type.Object({ group: Type.String(), workspaceId: Type.String(), role: RoleName, roleId: RoleId, canApprove: Type.Boolean() }),
  ),
  defaultRole: Nullable(RoleName),
  isOn: Type.Boolean(),
  startUrl: Type.String({ description: 'Opens the sign-in with this provider' }),
  redirectUri: Type.String({ description: 'To be entered at the provider' }),
  backchannelLogoutUri: Type.String({ description: 'To be entered at the provider, so that a sign-out there ends sessions here' }),
}
const Domain = Type.Object(
  {
    domain: Type.String(),
    record: Type.String({ description: 'The text record that proves the domain' }),
    isProven: Type.Boolean(),
    checkedAt: Time,
  },
  { title: 'SignInDomain' },
)
export const WorkspaceProvider = Type.Object({ ...shown, domains: Type.Array(Domain) })
export const InstallationProvider = Type.Object({ ...shown, domains: Type.Array(Type.String()) })

function present(provider: Provider, publicUrl: string) {
  const { name, issuer, clientId, clientSecret, scopes, groupsClaim, mapping, defaultRole, isOn } = provider
  const root = `${publicUrl}/api/v1/auth/oidc/${provider.id}`
  return {
    name,
    issuer,
    clientId,
    hasSecret: clientSecret !== null,
    scopes: [...scopes],
    groupsClaim,
    mapping: [...mapping],
    defaultRole,
    isOn,
    startUrl: `${root}/start`,
    redirectUri: `${root}/callback`,
    backchannelLogoutUri: `${root}/backchannel-logout`,
  }
}

export function presentOfInstallation(provider: Provider, publicUrl: string) {
  return { id: provider.id, ...present(provider, publicUrl), domains: [...provider.domains] }
}

/** `domains`: of the workspace, with how far each is proven. */
export function presentOfWorkspace(provider: Provider, publicUrl: string, domains: readonly DomainRow[]) {
  const own = domains.filter(({ domain }) => provider.domains.includes(domain))
  return {
    // Without the workspace, by which it is known in the whole installation.
    id: provider.id.slice(provider.id.indexOf('.') + 1),
    ...present(provider, publicUrl),
    domains: own.map(({ domain, code, proved_at: provedAt, checked_at: checkedAt }) => ({
      domain,
      record: domainRecord(code),
      isProven: provedAt !== null,
      checkedAt,
    })),
  }
}
