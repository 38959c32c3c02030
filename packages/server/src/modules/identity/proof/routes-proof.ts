import { PROOF_MODES, PROOF_OUTCOMES, PROOF_PARTS, type ProofOutcome } from '@contentflow/core/identity-proof/modes.ts'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
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
  timeThat,
  Type,
} from '../../../http/schema.ts'
import { shortPage } from '../../../http/short-list.ts'
import { createIdentityKey, removeIdentityKey, toIdentityKeyAnswer } from './keys.ts'
import type { Proofs } from './proofs.ts'
import { getIdentityKey, listIdentityKeys } from './queries-keys.ts'
import { findVerification, readReport, setVerification } from './settings.ts'

const Mode = Type.Enum([...PROOF_MODES])
const Modes = Type.Object({ userToken: Mode, deviceProof: Mode }, { title: 'ProofModes' })
export const IdentityVerification = Type.Object({ live: Modes, test: Modes })
const ModesBody = Type.Object(
  {
    environment: EnvironmentName,
    userToken: Type.Optional(Mode),
    deviceProof: Type.Optional(Mode),
    wouldRefuse: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'To require a proof: how many calls of the last 24 hours that would have refused, as the refusal before said it',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ environment: 'live', userToken: 'report' }] },
)
const Total = Type.Object({ calls: Type.Integer(), proven: Type.Integer() }, { title: 'ProofTotal' })
export const ProofReport = Type.Object({
  last24h: Type.Object({ userToken: Total, deviceProof: Total }),
  rows: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Of UTC', examples: ['2026-05-01'] }),
      part: Type.Enum([...PROOF_PARTS]),
      outcome: Shaped<ProofOutcome>(Type.Enum([...PROOF_OUTCOMES])),
      platform: Type.String({ description: 'As the SDK names itself; unknown without a name, other for those beyond the first ones' }),
      sdkVersion: Type.String(),
      calls: Type.Integer(),
    }),
    { description: 'Of the last 8 days, newest first' },
  ),
})

const kinds = Type.Enum(['secret', 'public', 'jwks'])
const keyMembers = {
  id: Type.String({ description: 'The kid of the tokens it signs; tokens of a JWKS name a kid of the set' }),
  environment: EnvironmentName,
  kind: kinds,
  name: Type.String(),
  algorithm: Type.Enum(['HS256', 'ES256']),
  jwksUrl: Nullable(Type.String()),
  createdAt: Time,
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable(timeThat('To about a minute, on any process')),
}
export const IdentityKey = Type.Object(keyMembers)
export const ShownIdentityKey = Type.Object({
  ...keyMembers,
  secret: Type.Optional(Type.String({ description: 'Of kind secret, shown this once: its text, as it is, is the key of HS256' })),
})
const KeyBody = Type.Object(
  {
    environment: EnvironmentName,
    kind: kinds,
    name: Type.Optional(Type.String({ maxLength: 150 })),
    publicKey: Type.Optional(
      Type.Union([Type.String({ maxLength: 4_000 }), Type.Object({}, { additionalProperties: true })], {
        description: 'Of kind public: on P-256, as PEM or JWK',
      }),
    ),
    jwksUrl: Type.Optional(Type.String({ maxLength: 2_000, description: 'Of kind jwks' })),
    secret: Type.Optional(Type.String({ maxLength: 512, description: 'Of kind secret: one of your own, of at least 32 bytes' })),
    expiresAt: Type.Optional(Nullable(Type.String({ maxLength: 40, description: 'ISO 8601' }))),
  },
  { additionalProperties: false, examples: [{ environment: 'live', kind: 'secret', name: 'Login server' }] },
)

/** Signed identity as members see and set it. */
export function proofRoutes(app: Routes, ctx: Context, proofs: Proofs): void {
  const route = routeIn('Settings')
  const path = '/settings/identity-verification'
  app.get(
    path,
    route({
      id: 'getIdentityVerification',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Which proofs calls of apps need, in each environment',
      description: 'Answers for each environment whether user tokens and device proofs are off, reported or required.',
      out: Ok(IdentityVerification),
    }),
    async (request) => ok(await findVerification(ctx, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'setIdentityVerification',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Ask for proofs, only count what lacks them, or leave it; members left out stay',
      description:
        'Sets the modes of one environment. Requiring a proof is refused with IDENTITY_CHECK_NEEDED and the number of calls of the last 24 hours it would have refused; send that number back as `wouldRefuse` to require it all the same.',
      body: ModesBody,
      out: Ok(IdentityVerification),
      refuses: ['IDENTITY_CHECK_NEEDED', 'IDENTITY_KEY_REQUIRED'],
    }),
    async (request) => ok(await setVerification(ctx, proofs, actorOf(request), bodyOf(request))),
  )
  app.get(
    `${path}/report`,
    route({
      id: 'getIdentityReport',
      auth: 'member',
      permission: 'settings:read',
      summary: 'How many calls proved for whom they speak, and which did not',
      description:
        'Answers for the last 8 days how many calls brought which proof, by platform and version of the SDK. Look at it before requiring proofs.',
      query: Type.Object({ environment: Type.Enum(['live', 'test'], { default: 'live', description: 'Of whose calls' }) }),
      out: Ok(ProofReport),
    }),
    async (request) => ok(await readReport(ctx, proofs, memberCaller(request).workspaceId, queryOf(request).environment)),
  )
  identityKeyRoutes(app, ctx)
}

function identityKeyRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Keys')
  const path = '/settings/identity-keys'
  app.get(
    path,
    route({
      id: 'listIdentityKeys',
      auth: 'member',
      permission: 'settings:read',
      summary: 'List: keys of user tokens',
      description: 'Lists the keys with which your own server signs user tokens, without their secrets.',
      query: PageQuery,
      out: Page('keys', IdentityKey),
    }),
    async (request) => {
      const all = await listIdentityKeys(ctx.db, memberCaller(request).workspaceId)
      return page(
        'keys',
        shortPage(all, queryOf(request), ({ id }) => id),
        toIdentityKeyAnswer,
      )
    },
  )
  app.post(
    path,
    route({
      id: 'createIdentityKey',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Add a key of user tokens; a secret is in this answer only',
      description:
        'Adds a shared secret, a public key on P-256 or the address of a JWKS for one environment, which may have five at a time.',
      body: KeyBody,
      out: { 201: Ok(ShownIdentityKey) },
      refuses: ['IDENTITY_KEY_LIMIT'],
    }),
    async (request, reply) => reply.code(201).send(ok(await createIdentityKey(ctx, actorOf(request), bodyOf(request)))),
  )
  app.delete(
    `${path}/:id`,
    route({
      id: 'deleteIdentityKey',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Delete a key of user tokens: its tokens open nothing from the next request on',
      description:
        'Tokens that this key signed are refused from the next request on. The last key is refused with IDENTITY_KEY_REQUIRED while tokens are required.',
      params: pathOf({ id: 'The id of the key' }),
      out: Deleted,
      refuses: ['IDENTITY_KEY_REQUIRED'],
    }),
    async (request) => {
      const { id } = await getIdentityKey(ctx.db, memberCaller(request).workspaceId, request.params.id)
      await removeIdentityKey(ctx, actorOf(request), id)
      return ok({ deleted: true as const })
    },
  )
}
