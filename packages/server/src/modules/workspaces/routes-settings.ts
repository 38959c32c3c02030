import { allFeatures, FEATURES, type FeatureName, type Features } from '@contentflow/core/features.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { readCidrs } from '../../http/callers/networks.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import {
  bodyOf,
  Deleted,
  EnvironmentName,
  Nullable,
  Ok,
  Page,
  PageQuery,
  queryOf,
  Shaped,
  Time,
  timeOf,
  Type,
  timeThat,
} from '../../http/schema.ts'
import { CLIENT_KEY_KINDS, createKey, revokeKey, rotateKey, toKeyAnswer } from './keys/keys.ts'
import * as queries from './queries.ts'
import { shortPage } from '../../http/short-list.ts'
import { changeSettings, createSandbox, findSandbox, setFeatures, setKeyPolicy, unlinkSandbox } from './settings.ts'

const KeyName = Type.Optional(Type.String({ maxLength: 150, description: 'What the key is for', examples: ['iOS app'] }))
const KeyEnd = Type.Optional(
  Type.String({ maxLength: 40, description: 'ISO 8601. From then on it opens nothing; left out: it does not end' }),
)
const KeyNetworks = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 50, examples: ['203.0.113.0/24'] }), {
    minItems: 1,
    maxItems: 20,
    description: 'Networks it may be used from; left out: from anywhere',
  }),
)
const ClientKeyBody = Type.Object({
  kind: Type.Enum(['publishable', 'secret']),
  environment: EnvironmentName,
  name: KeyName,
  expiresAt: KeyEnd,
  allowedCidrs: KeyNetworks,
  allowedOrigins: Type.Optional(
    Type.Array(Type.String({ maxLength: 255, examples: ['https://shop.example'] }), {
      minItems: 1,
      maxItems: 20,
      description: 'Web pages that may use it, by their origins. Browsers say theirs; programs say none, so this keeps none of them out',
    }),
  ),
})
const ServerKeyBody = Type.Object({ name: KeyName, expiresAt: KeyEnd, allowedCidrs: KeyNetworks })
const RotateKeyBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.tokenOverlapHours.most,
      description: 'How long the old text goes on beside the new one; left out: it ends at once',
    }),
  ),
  expiresAt: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: 'ISO 8601. Another end; left out: as it was; null: it does not end' })),
  ),
})
const listed = {
  id: Type.String(),
  kind: Type.Enum(['publishable', 'secret', 'write', 'read']),
  environment: EnvironmentName,
  name: Type.String(),
  masked: Type.String({ description: 'The prefix and the last four characters' }),
  createdAt: Time,
  rotatedAt: Nullable(Time),
  lastUsedAt: Nullable(timeThat('To about a minute, on any process')),
  lastUsedFrom: Nullable(Type.String({ description: 'The address' })),
  createdBy: Nullable(Type.String({ description: 'The account; null: not noted' })),
  expiresAt: Nullable(Time),
  allowedOrigins: Nullable(Type.Array(Type.String())),
  allowedCidrs: Nullable(Type.Array(Type.String())),
  previousUntil: Nullable(timeThat('Until when the text before the last rotation opens; null: it opens nothing')),
}
export const ListedKey = Type.Object(listed)
export const ShownKey = Type.Object({ ...listed, key: Type.String({ description: 'The full text, shown this once' }) })
const KeyParams = pathOf({ id: 'The id of the key' })

export const FeatureSwitches = Shaped<Record<FeatureName, boolean>>(
  Type.Object(Object.fromEntries(FEATURES.map((name) => [name, Type.Boolean()]))),
)
const FeatureBody = Type.Object({
  features: Shaped<Partial<Record<FeatureName, boolean>>>(
    Type.Object(Object.fromEntries(FEATURES.map((name) => [name, Type.Optional(Type.Boolean())])), {
      additionalProperties: false,
      examples: [{ campaigns: false }],
    }),
  ),
})
export const Policy = Type.Object({ derivedKeysEnabled: Type.Boolean() })
export const Retirement = Type.Object({ retired: Type.Boolean() })
export const Sandbox = Type.Object({ workspaceId: Type.String(), name: Type.String() })

/** Keys, switches and environments of a workspace (G-07 to G-11). */
export function settingsRoutes(app: Routes, ctx: Context): void {
  keyRoutes(app, ctx, 'sdk-keys')
  keyRoutes(app, ctx, 'write-keys')
  keyRoutes(app, ctx, 'read-keys')
  switchRoutes(app, ctx)
  environmentRoutes(app, ctx)
}

const KEY_FAMILIES = {
  'sdk-keys': {
    name: 'AppKey',
    kinds: CLIENT_KEY_KINDS,
    body: ClientKeyBody,
    lists: 'keys:read',
    title: 'application key',
    opens: 'Apps and pages send it as X-CF-Key.',
  },
  'write-keys': {
    name: 'WriteKey',
    kinds: ['write'],
    body: ServerKeyBody,
    lists: 'keys:manage',
    title: 'write key',
    opens: 'Build pipelines send it as X-CF-Write-Key. While publishing takes a second person, making one takes approval rights.',
  },
  'read-keys': {
    name: 'ReadKey',
    kinds: ['read'],
    body: ServerKeyBody,
    lists: 'keys:manage',
    title: 'read key',
    opens: 'Servers that read people send it as X-CF-Read-Key.',
  },
} as const

function keyRoutes(app: Routes, ctx: Context, family: keyof typeof KEY_FAMILIES): void {
  const { name, kinds, body, lists, title, opens } = KEY_FAMILIES[family]
  const route = routeIn('Keys')
  const path = `/settings/${family}`
  app.get(
    path,
    route({
      id: `list${name}s`,
      auth: 'member',
      permission: lists,
      summary: `List: ${title}s, masked`,
      description: `Lists each ${title} with its name, its first and last characters, end and last use. ${opens}`,
      query: PageQuery,
      out: Page('keys', ListedKey),
    }),
    async (request) => {
      const keys = await queries.listKeys(ctx.db, memberCaller(request).workspaceId, kinds)
      return page(
        'keys',
        shortPage(keys, queryOf(request), ({ id }) => id),
        toKeyAnswer,
      )
    },
  )
  app.post(
    path,
    route({
      id: `create${name}`,
      auth: 'member',
      permission: 'keys:manage',
      summary: `Make: ${title}; its text is shown once`,
      description: `Makes a ${title}, which opens the workspace at once. Only a hash of its text is kept, so this answer is the one chance to take it along. ${opens}`,
      body,
      out: { 201: Ok(ShownKey) },
      refuses: family === 'sdk-keys' ? ['SANDBOX_LIVE_KEY_FORBIDDEN'] : [],
    }),
    async (request, reply) => {
      const sent = bodyOf(request)
      const kind =
        family === 'sdk-keys' && 'kind' in sent
          ? { kind: sent.kind, environment: sent.environment, allowedOrigins: readOrigins(sent.allowedOrigins) }
          : ({ kind: kinds[0], environment: 'live' } as const)
      const input = { ...kind, expiresAt: readEnd(ctx, sent.expiresAt), allowedCidrs: sent.allowedCidrs && readCidrs(sent.allowedCidrs) }
      return reply.code(201).send(ok(await createKey(ctx, actorOf(request), { ...input, name: sent.name ?? '' })))
    },
  )
  app.post(
    `${path}/:id/rotate`,
    route({
      id: `rotate${name}`,
      auth: 'member',
      permission: 'keys:manage',
      summary: `Rotate: ${title}; the old text ends at once, or after overlapHours`,
      description: `Gives the ${title} another text, which is in this answer only. An old text that still overlapped ends. ${opens}`,
      params: KeyParams,
      body: RotateKeyBody,
      out: Ok(ShownKey),
    }),
    async (request) => {
      const { id } = request.params
      await queries.getKey(ctx.db, memberCaller(request).workspaceId, id, kinds)
      const { overlapHours, expiresAt } = bodyOf(request)
      const end = expiresAt === null ? null : readEnd(ctx, expiresAt)
      return ok(await rotateKey(ctx, actorOf(request), { id, kinds }, { overlapHours, expiresAt: end }))
    },
  )
  app.delete(
    `${path}/:id`,
    route({
      id: `revoke${name}`,
      auth: 'member',
      permission: 'keys:manage',
      summary: `Revoke: ${title}`,
      description: `Deletes the ${title}: from the next request on it opens nothing. ${opens}`,
      params: KeyParams,
      out: Deleted,
    }),
    async (request) => {
      const { id } = request.params
      await revokeKey(ctx, actorOf(request), id, kinds)
      return ok({ deleted: true as const })
    },
  )
}

/** An end that lies ahead. */
function readEnd(ctx: Context, expiresAt: string | undefined): Date | undefined {
  const end = timeOf('expiresAt', expiresAt)
  if (end && end <= ctx.clock.now()) failWith(400, 'expiresAt must be in the future')
  return end
}

/** Origins as browsers write them. */
function readOrigins(origins: readonly string[] | undefined): string[] | undefined {
  for (const origin of origins ?? [])
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      failWith(400, `allowedOrigins: ${JSON.stringify(origin.slice(0, 100))} is no origin, such as https://shop.example`)
  return origins && [...new Set(origins)]
}

function switchRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const Answer = { 200: Ok(Type.Object({ features: FeatureSwitches })) }
  app.get(
    '/settings/features',
    route({
      id: 'getFeatures',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Feature switches',
      description: 'Answers each feature with whether it is on. Apps hear of a change at once.',
      out: Answer,
    }),
    async (request) => {
      const { features } = await queries.getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok({ features: allFeatures(features as Partial<Features>) })
    },
  )
  app.put(
    '/settings/features',
    route({
      id: 'setFeatures',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Switch features on or off',
      description:
        'Switches the named features; the others stay. Apps hear of it at once. What belongs to a feature that is off is kept, and neither served nor stored anew.',
      body: FeatureBody,
      out: Answer,
    }),
    async (request) => {
      const { features } = bodyOf(request)
      return ok({ features: await setFeatures(ctx, actorOf(request), features) })
    },
  )
  app.get(
    '/settings/sdk-key-policy',
    route({
      id: 'getDerivedKeyPolicy',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Whether derived keys open this workspace',
      description:
        'Derived keys are `<workspace>_app` and `<workspace>_test`, which follow from the id of the workspace. Answers whether they are accepted.',
      out: Ok(Policy),
    }),
    async (request) => {
      const row = await queries.getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok({ derivedKeysEnabled: row.derived_keys_enabled })
    },
  )
  app.put(
    '/settings/sdk-key-policy',
    route({
      id: 'setDerivedKeyPolicy',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Switch derived keys on or off',
      description:
        'With `derivedKeysEnabled` false only keys that were made open the workspace. Refused with LIVE_PUBLISHABLE_KEY_REQUIRED while no live publishable key exists.',
      body: Policy,
      out: Ok(Policy),
      refuses: ['LIVE_PUBLISHABLE_KEY_REQUIRED'],
    }),
    async (request) => {
      const policy = bodyOf(request)
      await setKeyPolicy(ctx, actorOf(request), policy.derivedKeysEnabled)
      return ok({ derivedKeysEnabled: policy.derivedKeysEnabled })
    },
  )
}

function environmentRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  app.get(
    '/settings/sandbox',
    route({
      id: 'getSandbox',
      auth: 'member',
      permission: 'settings:read',
      summary: 'The linked sandbox, or null',
      description: 'Answers the workspace that serves the test keys of this one; null when there is none.',
      out: Ok(Nullable(Sandbox)),
    }),
    async (request) => ok(await findSandbox(ctx, memberCaller(request).workspaceId)),
  )
  app.post(
    '/settings/sandbox',
    route({
      id: 'createSandbox',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Make and link a sandbox',
      description:
        'Makes a workspace with the same members, block types, segments, locales, strings, saved mails and topics, which from then on serves the test keys of this one.',
      out: { 201: Ok(Sandbox) },
      refuses: ['SANDBOX_NESTED', 'WORKSPACE_LIMIT'],
    }),
    async (request, reply) => reply.code(201).send(ok(await createSandbox(ctx, actorOf(request)))),
  )
  app.delete(
    '/settings/sandbox',
    route({
      id: 'unlinkSandbox',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Unlink the sandbox',
      description: 'The sandbox stays as a workspace of its own and serves the test keys of this one no longer.',
      out: Deleted,
    }),
    async (request) => {
      await unlinkSandbox(ctx, actorOf(request))
      return ok({ deleted: true as const })
    },
  )
  app.get(
    '/settings/test-environment',
    route({
      id: 'getTestEnvironment',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Whether the test environment is retired',
      description: 'Answers whether test keys may still write to this workspace.',
      out: Ok(Retirement),
    }),
    async (request) => {
      const row = await queries.getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok({ retired: row.test_retired })
    },
  )
  app.put(
    '/settings/test-environment',
    route({
      id: 'setTestEnvironment',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Retire the test environment, or bring it back',
      description:
        'While it is retired, test keys read live content and write nothing (SANDBOX_REQUIRED), unless a sandbox is linked, which serves them. Nothing is published to test any more (TEST_ENV_RETIRED).',
      body: Retirement,
      out: Ok(Retirement),
    }),
    async (request) => {
      const { retired } = bodyOf(request)
      await changeSettings(ctx, actorOf(request), { test_retired: retired })
      return ok({ retired })
    },
  )
}
