import { PROVIDERS } from '@contentflow/core/channels/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { faultOf, Nullable, Type, type Static } from '../../http/schema.ts'

const closed = { additionalProperties: false }
const Limit = (minimum: number) => Type.Optional(Nullable(Type.Integer({ minimum, maximum: 2_000_000_000 })))

/** A secret is said as it is, or by where it stands. */
const SecretText = Type.Union([Type.String({ minLength: 1 }), Type.Object({ file: Type.String({ minLength: 1 }) }, closed)], {
  description: 'a text, "${NAME}" for what the environment holds under that name, or {"file": "/path"} for what a file holds',
})

const Member = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' }),
    role: Type.Enum(['admin', 'editor', 'viewer']),
    canApprove: Type.Optional(Type.Boolean({ description: 'Admins always may' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 150, description: 'Of an account that is made' })),
    password: Type.Optional(SecretText),
  },
  closed,
)

const Key = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 150, description: 'What the key is for; no two of a workspace have one name' }),
    kind: Type.Enum(['publishable', 'secret', 'write', 'read']),
    environment: Type.Enum(['live', 'test']),
    key: Type.Optional(SecretText),
    writeTo: Type.Optional(
      Type.String({ minLength: 1, description: 'Instead of key: the file that the key is read from, or made in with mode 0600' }),
    ),
  },
  closed,
)

const Channel = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
    provider: Type.Enum([...PROVIDERS]),
    name: Type.String({ minLength: 1, maxLength: LIMITS.channelNameLength }),
    priority: Type.Optional(Type.Integer({ minimum: -LIMITS.channelPriority, maximum: LIMITS.channelPriority })),
    active: Type.Optional(Type.Boolean({ description: 'Left out: it sends' })),
    configuration: Type.Object(
      {},
      { additionalProperties: true, description: 'The members of the provider; each text may be "${NAME}" or {"file": "/path"}' },
    ),
  },
  closed,
)

const Plan = Type.Object(
  {
    customerLimit: Limit(0),
    requestsPerMinute: Limit(1),
    contentMegabytes: Limit(1),
    mediaMegabytes: Limit(1),
    derivedKeys: Type.Optional(Type.Boolean({ description: 'false: the keys <workspace>_app and <workspace>_test open nothing' })),
  },
  { ...closed, description: 'What is left out stays; null: no limit of its own' },
)

const Workspace = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9]{8,32}$', description: 'Chosen here, once: publishable keys begin with it' }),
    name: Type.String({ minLength: 1, maxLength: 150 }),
    sourceLocale: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
          maxLength: 35,
          description: 'Of a workspace that is made; en when left out',
        }),
      ),
    ),
    members: Type.Array(Member, { minItems: 1, maxItems: 200 }),
    keys: Type.Optional(Type.Array(Key, { maxItems: 100 })),
    plan: Type.Optional(Plan),
    channels: Type.Optional(Type.Array(Channel, { maxItems: LIMITS.channelsPerWorkspace })),
    document: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({}, { additionalProperties: true })], {
        description: 'the workspace as code (settings, block types, segments, …) as an object, or the path of its file, beside this one',
      }),
    ),
  },
  closed,
)

/** The file that `CF_BOOTSTRAP` names. */
export const BootstrapSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors' })),
    workspaces: Type.Array(Workspace, { minItems: 1, maxItems: 100 }),
  },
  { ...closed, title: 'ContentFlow bootstrap file' },
)
export type BootstrapFile = Static<typeof BootstrapSchema>
export type WorkspaceEntry = BootstrapFile['workspaces'][number]

/** Where a value is no such file, and what is expected there; undefined: it is one. */
export function bootstrapFault(value: unknown): string | undefined {
  return faultOf(BootstrapSchema, value)
}
