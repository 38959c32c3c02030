import { LIMIT_NAMES, type Limits } from '@contentflow/core/access/allows.ts'
import { PERMISSIONS } from '@contentflow/core/access/permissions.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Shaped, Time, Type } from '../../http/schema.ts'
import type { Ending } from './queries-ending.ts'
import type { StoredService } from './queries-services.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const PermissionName = Type.Enum([...PERMISSIONS])
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 })
const LimitsSchema = Shaped<Limits>(
  Type.Object(Object.fromEntries(LIMIT_NAMES.map((name) => [name, Type.Optional(Names)])), {
    additionalProperties: false,
    description: 'What may be written, by kind of name; a kind that is left out is not limited',
  }),
)
const LimitNameSchema = Type.Enum([...LIMIT_NAMES])
const DocumentedRoleName = Type.Enum(['admin', 'editor', 'viewer'])

/** Read by a function, which says more of what is wrong. */
const AnyLimits = Type.Object({}, { additionalProperties: true, description: 'As `limits` in the answer' })

export const RoleBody = Type.Object(
  { name: Name, permissions: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 100 }), limits: Type.Optional(AnyLimits) },
  { examples: [{ name: 'Arabic translator', permissions: ['strings:read', 'strings:write'], limits: { locales: ['ar'] } }] },
)
export const RoleSchema = Type.Object({
  id: Type.String(),
  name: Name,
  permissions: Type.Array(PermissionName),
  limits: LimitsSchema,
  version: Type.Integer(),
  members: Type.Integer({ description: 'Members that have it' }),
  serviceAccounts: Type.Integer(),
  createdAt: Time,
  updatedAt: Time,
})

const service = {
  name: Name,
  ownerId: Type.Optional(Type.String({ description: 'The member who answers for it; left out: you' })),
  role: Type.Optional(DocumentedRoleName),
  roleId: Type.Optional(Type.String({ description: 'A role of the workspace, instead of a documented one' })),
  limits: Type.Optional(AnyLimits),
}
export const ServiceBody = Type.Object(service, { examples: [{ name: 'Release pipeline', role: 'editor' }] })
export const ServiceChange = Type.Partial(Type.Object(service))
export const ServiceSchema = Type.Object({
  id: Type.String(),
  name: Name,
  ownerId: Type.String(),
  ownerName: Nullable(Type.String({ description: 'null: no member any more' })),
  ownerLeftAt: Nullable(Time),
  role: DocumentedRoleName,
  roleId: Nullable(Type.String()),
  limits: LimitsSchema,
  createdAt: Time,
  updatedAt: Time,
})

export function presentService(service: StoredService, ownerName: string | null) {
  const { id, name, ownerId, ownerLeftAt, role, roleId, limits, createdAt, updatedAt } = service
  return { id, name, ownerId, ownerName, ownerLeftAt, role, roleId, limits, createdAt, updatedAt }
}

const ExpiresInDays = Type.Optional(
  Type.Integer({ minimum: 1, maximum: LIMITS.tokenDays.most, description: `Left out: ${LIMITS.tokenDays.default}` }),
)
const Networks = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: 20,
    description: 'Networks it may be used from; empty: from anywhere',
  }),
)
export const TokenBody = Type.Object(
  { expiresInDays: ExpiresInDays, allowedCidrs: Networks },
  { examples: [{ expiresInDays: 90, allowedCidrs: ['203.0.113.0/24'] }] },
)
export const RotateBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: LIMITS.tokenOverlapHours.most, description: 'How long the old token goes on beside the new one' }),
  ),
  expiresInDays: ExpiresInDays,
})
export const TokenSchema = Type.Object({
  id: Type.String(),
  hint: Type.String({ description: 'Its last four characters' }),
  expiresAt: Time,
  allowedCidrs: Type.Array(Type.String()),
  createdBy: Type.String(),
  createdAt: Time,
  lastUsedAt: Nullable(Time),
  lastUsedFrom: Nullable(Type.String({ description: 'The address' })),
  revokedAt: Nullable(Time),
})
export const ShownTokenSchema = Type.Object({ ...TokenSchema.properties, token: Type.String({ description: 'The text, shown this once' }) })

/** A token or a key that is about to end. */
export const EndingSchema = Type.Object({
  kind: Type.Enum(['token', 'publishable', 'secret', 'write', 'read']),
  id: Type.String(),
  name: Type.String({ description: 'Of the key, or of the service account' }),
  hint: Type.String({ description: 'By which people tell it apart' }),
  endsAt: Time,
  serviceAccountId: Nullable(Type.String({ description: 'Of a token' })),
})

export function presentEnding({ kind, id, name, hint, endsAt, serviceAccountId }: Ending) {
  return { kind, id, name, hint, endsAt, serviceAccountId }
}

export const AccessSchema = Type.Object({
  permissions: Type.Array(
    Type.Object({
      name: PermissionName,
      roles: Type.Array(DocumentedRoleName, { description: 'Documented roles that hold it' }),
      limitedBy: Type.Array(LimitNameSchema),
    }),
  ),
  presets: Type.Array(Type.Object({ id: Type.String(), permissions: Type.Array(PermissionName), limitBy: Type.Array(LimitNameSchema) })),
  yours: Type.Object({ permissions: Type.Array(PermissionName), limits: LimitsSchema }, { description: 'What you hold here' }),
})
export const CheckBody = Type.Object({
  userId: Type.String({ minLength: 1, maxLength: 100, description: 'A member or a service account' }),
  permission: PermissionName,
  target: Type.Optional(LimitsSchema),
})
export const CheckSchema = Type.Object({
  allowed: Type.Boolean(),
  missing: Type.Optional(Type.Enum(['nobody', 'permission', 'target'])),
  permissions: Type.Optional(Type.Array(PermissionName)),
  limits: Type.Optional(LimitsSchema),
})
