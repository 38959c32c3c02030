import type { FastifyRequest } from 'fastify'
import { cleanTraits } from '@contentflow/core/identity/clean-traits.ts'
import { readEmail, readName } from '@contentflow/core/identity/contact.ts'
import { isPlaceholderId } from '@contentflow/core/identity/placeholder-ids.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { INDUSTRY_CATEGORIES } from '@contentflow/core/targeting/fields.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { askedLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import { appCaller, memberCaller } from '../../http/callers/auth.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { callerOf } from '../../http/callers/caller-address.ts'
import { placeOf } from '../../http/callers/caller-place.ts'
import { deviceIdOf, headerDeviceId } from '../../http/callers/device-id.ts'
import { ok, page, partial } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import {
  EnvironmentAsked,
  EnvironmentName,
  Nullable,
  Ok,
  Page,
  PageQuery,
  Partial,
  queryOf,
  Time,
  TimeText,
  Type,
} from '../../http/schema.ts'
import { UserParams } from '../../http/path-ids.ts'
import { aboutPerson } from '../../infra/concurrency/limiters.ts'
import { findOwnEnvironment, findPerson } from '../people/index.ts'
import { eraseProfile, type Erasure } from './erase.ts'
import { eraseOrRequest } from './erasure-requests/erasure-requests.ts'
import { erasureRequestRoutes } from './erasure-requests/routes-erasure-requests.ts'
import type { Identify } from './identify.ts'
import { logOut } from './log-out.ts'
import type { IdentifyRequest } from './plan-identify.ts'
import type { Proofs } from './proof/proofs.ts'
import { proofRoutes } from './proof/routes-proof.ts'
import { ERASURE_PARTS, getErasure, pageErasures, type ErasureRow } from './queries-erasure.ts'
import { readIndustryData, setProfile } from './set-profile.ts'
import { trackEvent } from './track-event.ts'

const DeviceHeaders = Type.Object({
  'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
})
const IdentifyBody = Type.Object(
  {
    deviceId: Type.Optional(Type.String({ maxLength: LIMITS.deviceIdLength })),
    userId: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }))),
    consent: Type.Boolean({ description: "The person's own choice about analytics" }),
    traits: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Replaces the stored set when it is not empty' })),
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  },
  { examples: [{ deviceId: 'phone-1', userId: 'sara', consent: true, traits: { plan: 'gold' } }] },
)
const IdentifiedSchema = Type.Object({
  deviceId: Type.String(),
  consent: Type.Boolean(),
  results: Type.Object({ identity: Type.Object({ status: Type.Enum(['identified', 'anonymous']), userId: Nullable(Type.String()) }) }),
  segments: Type.Array(Type.String()),
  deviceToken: Type.Optional(
    Type.String({ description: "With device proofs on: this installation's token, to be sent as X-CF-Device-Token with every call" }),
  ),
})
const PartName = Type.Enum([...ERASURE_PARTS])
const ErasedSchema = Type.Object({
  localWipeSafe: Type.Literal(true),
  erased: Type.Array(PartName),
  erasureId: Nullable(Type.String({ description: 'The receipt: GET /erasures/{id}' })),
})
const RemainingSchema = Type.Object(
  { localWipeSafe: Type.Literal(false), remaining: Type.Array(PartName), erasureId: Type.String() },
  { title: 'ErasureUnfinished' },
)

const RequestedSchema = Type.Object(
  {
    localWipeSafe: Type.Literal(false),
    requested: Type.Literal(true, {
      description: 'Nothing is erased until the person or an admin confirms it (protection confirmErasures)',
    }),
    requestId: Type.String(),
  },
  { title: 'ErasureRequested' },
)

/** What an application says of the person in front of it (C-IDN, C-OUT, C-TRK, C-PROF, C-ERASE). */
function identityRoutes(app: Routes, { ctx, identify, proofs }: Opened): void {
  const route = routeIn('People')
  app.post(
    '/identify',
    route({
      id: 'identifyPerson',
      auth: 'app',
      isBatched: true,
      summary: 'Link an installation to a person, with their choice about analytics',
      description:
        'Says who uses this installation and whether they agree to analytics. With `userId` the installation is linked to that person, and what it did anonymously becomes theirs; without one the person stays anonymous. The answer lists the segments they are in from now on. 207 PUSH_LINKAGE_INCOMPLETE: the identity is stored, and repeating the call links the push token. Not answered while an erasure of the person runs (ERASURE_PENDING).',
      headers: DeviceHeaders,
      body: IdentifyBody,
      out: { 200: Ok(IdentifiedSchema), 207: Partial(IdentifiedSchema) },
      refuses: ['PLACEHOLDER_USER_ID', 'DEVICE_ENVIRONMENT_MISMATCH', 'DEVICE_STATE_CHANGED', 'ERASURE_PENDING', 'PUSH_LINKAGE_INCOMPLETE'],
    }),
    async (request, reply) => {
      const { identified, isPushLinked } = await identify(await readIdentify(ctx, request), appCaller(request).keyId)
      const deviceToken = request.admission && (await proofs.settle(request.admission))
      const data = { ...identified, ...(deviceToken !== undefined && { deviceToken }) }
      return isPushLinked ? ok(data) : reply.code(207).send(partial('PUSH_LINKAGE_INCOMPLETE', undefined, data))
    },
  )
  const LoggedOut = Type.Object({ loggedOut: Type.Literal(true) })
  app.post(
    '/logout',
    route({
      id: 'logOutPerson',
      auth: 'app',
      summary: 'Take the person off the installation',
      description:
        'Takes the user off this installation, with its segments and its push token; the person and their consent stay. An anonymous installation stays as it is. 207 PUSH_LINKAGE_INCOMPLETE: the user is off, and repeating the call removes the push token.',
      headers: DeviceHeaders,
      out: { 200: Ok(LoggedOut), 207: Partial(LoggedOut) },
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH', 'DEVICE_STATE_CHANGED', 'PUSH_LINKAGE_INCOMPLETE'],
    }),
    async (request, reply) => {
      const isComplete = await logOut(ctx, appCaller(request), deviceIdOf(request))
      const data = { loggedOut: true as const }
      return isComplete ? ok(data) : reply.code(207).send(partial('PUSH_LINKAGE_INCOMPLETE', undefined, data))
    },
  )
  trackEventRoute(app, ctx)
  profileRoute(app, ctx)
  eraseRoute(app, ctx)
}

async function readIdentify(ctx: Context, request: FastifyRequest): Promise<IdentifyRequest> {
  const { workspaceId, environment, credential, protections } = appCaller(request)
  const deviceId = deviceIdOf(request)
  const { consent, userId = null, traits, name, email } = objectBody(request)
  if (typeof consent !== 'boolean') failWith(400, 'consent must be a boolean')
  if (userId !== null && (typeof userId !== 'string' || userId === '' || userId.length > LIMITS.userIdLength))
    failWith(400, `userId must be a string of 1 to ${LIMITS.userIdLength} characters`)
  if (userId !== null && protections.refusePlaceholderIds && isPlaceholderId(userId)) fail('PLACEHOLDER_USER_ID')
  return {
    workspaceId,
    environment,
    deviceId,
    userId: userId ?? undefined,
    consent,
    traits: cleanTraits(traits),
    name: readName(name) ?? null,
    email: readEmail(email) ?? null,
    isByServer: credential === 'secret',
    isMailConfirmed: protections.confirmEmails,
    ...clientOf(request),
    location: await locationOf(ctx, request),
  }
}

const PLATFORMS = new Map([
  ['js', 'web'],
  ['swift', 'ios'],
  ['kotlin', 'android'],
])

/** `X-CF-SDK-Version: <platform>/<version>`; SDKs that run on both mobile systems name no platform of ours. */
function clientOf({ headers }: FastifyRequest): { platform: string | null; sdkVersion: string | null; locale: string | null } {
  const [, sdk = '', version] = /^([a-z-]{1,20})\/(\S{1,40})$/.exec(String(headers['x-cf-sdk-version'] ?? '')) ?? []
  const locale = askedLocale(undefined, headers['accept-language']) ?? null
  return { platform: PLATFORMS.get(sdk) ?? null, sdkVersion: version ?? null, locale }
}

/** Known members only. */
async function locationOf(ctx: Context, request: FastifyRequest): Promise<JsonObject> {
  return Object.fromEntries(Object.entries(await placeOf(ctx, request)).filter(([, name]) => name !== null))
}

function trackEventRoute(app: Routes, ctx: Context): void {
  const Body = Type.Object({
    type: Type.Enum(['sign_up', 'sign_in']),
    deviceId: Type.Optional(Type.String()),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  })
  const Answer = Type.Object({ accepted: Type.Boolean(), message: Type.Optional(Type.String()) })
  app.post(
    '/track-event',
    routeIn('People')({
      id: 'trackSignIn',
      auth: 'app',
      summary: 'A sign-up or sign-in',
      description:
        'Stores a sign-up or sign-in of the user who is linked to the installation. It is answered 202 also when nothing was stored; then `accepted` is false and `message` says why: no user is linked, no consent, or too many properties. All other events go to /events.',
      headers: DeviceHeaders,
      body: Body,
      out: { 202: Ok(Answer) },
      refuses: ['ENDPOINT_MISMATCH', 'SUBJECT_ERASED', 'DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request, reply) => {
      const message = await trackEvent(ctx, appCaller(request), deviceIdOf(request), objectBody(request))
      return reply.code(202).send(ok(message === undefined ? { accepted: true } : { accepted: false, message }))
    },
  )
}

function profileRoute(app: Routes, ctx: Context): void {
  const Body = Type.Object({
    userId: Type.String(),
    category: Type.Enum([...INDUSTRY_CATEGORIES]),
    data: Type.Record(Type.String(), Type.Unknown()),
    deviceId: Type.Optional(Type.String()),
  })
  const Answer = Type.Object({ stored: Type.Boolean(), category: Type.Optional(Type.String()), reason: Type.Optional(Type.String()) })
  app.post(
    '/profile',
    routeIn('People')({
      id: 'setProfile',
      auth: 'app',
      summary: 'Industry data of the person; write-only, replaces its category',
      description:
        'Replaces one category of industry data of the user on this installation. It is used by segments and is never read back by apps. The installation has to be identified as `userId`, with consent. A workspace with this switched off answers `stored: false`.',
      headers: DeviceHeaders,
      body: Body,
      out: Ok(Answer),
      refuses: ['DEVICE_NOT_IDENTIFIED', 'USER_ID_DEVICE_MISMATCH', 'SUBJECT_ERASED', 'DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request) => {
      const caller = appCaller(request)
      const deviceId = deviceIdOf(request)
      const data = readIndustryData(objectBody(request))
      if (!caller.features.profileUpdates) return ok({ stored: false, reason: 'feature_disabled' })
      await setProfile(ctx, caller, deviceId, data)
      return ok({ stored: true, category: data.category })
    },
  )
}

function eraseRoute(app: Routes, ctx: Context): void {
  app.delete(
    '/identify',
    routeIn('People')({
      id: 'erasePerson',
      auth: 'app',
      summary: 'Erase the person on this installation, with every device of theirs',
      description:
        'Erases the person on this installation with all their devices, events and messages; consent is kept as a keyed ledger. The receipt is under `erasureId`. Where the workspace confirms erasures, a call by an app is filed (202) and the person or an admin decides. An erasure that takes longer is 207 with what remains for clients that send the capability `erasure-partial-v1`, and 502 for others; it goes on, and the call may be repeated.',
      headers: Type.Object({
        'x-cf-device': Type.String({ description: 'The id of the installation' }),
        'x-cf-sdk-capabilities': Type.Optional(
          Type.String({
            description: 'What the client understands: with erasure-partial-v1 the partial answer 207',
            examples: ['erasure-partial-v1'],
          }),
        ),
      }),
      out: { 200: Ok(ErasedSchema), 202: Ok(RequestedSchema), 207: Partial(RemainingSchema) },
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH', 'ERASURE_PENDING', 'ERASURE_RATE_LIMITED'],
      alsoAnswers: [502],
    }),
    async (request, reply) => {
      const address = callerOf(request.raw, ctx.config.trustedProxies)
      const { erasure, requested } = await eraseOrRequest(ctx, appCaller(request), address, headerDeviceId(request))
      if (requested) return reply.code(202).send(ok({ localWipeSafe: false as const, requested: true as const, requestId: requested.id }))
      if (erasure.remaining.length === 0) return ok(presentErased(erasure))
      // C-ERASE-11 to C-ERASE-13: only a client that says so can read a partial answer.
      const capabilities = (request.headers['x-cf-sdk-capabilities'] ?? '').split(',')
      if (!capabilities.some((capability) => capability.trim() === 'erasure-partial-v1'))
        fail('UPSTREAM_UNAVAILABLE', { status: 502, retryAfter: 5, message: 'The erasure is not finished and goes on; repeat the call' })
      return reply.code(207).send(partial('ERASURE_PENDING', 'erasure incomplete', presentRemaining(erasure)))
    },
  )
}

function presentErased({ id, erased }: Erasure) {
  return { localWipeSafe: true as const, erased, erasureId: id }
}

function presentRemaining({ id, remaining }: Erasure) {
  return { localWipeSafe: false as const, remaining, erasureId: id ?? '' }
}

export const ErasureSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentName,
  status: Type.Enum(['pending', 'complete']),
  parts: Type.Array(
    Type.Object({ part: PartName, status: Type.Enum(['pending', 'erased']), count: Type.Integer(), at: Nullable(TimeText) }),
  ),
  requestedBy: Type.String({ description: 'The application key, the account of the member, or `person`' }),
  requestedAt: Time,
  completedAt: Nullable(Time),
})

function presentErasure(row: ErasureRow) {
  return {
    id: row.id,
    environment: row.environment,
    status: row.status,
    parts: row.parts,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    completedAt: row.completed_at,
  }
}

/** Receipts, and erasing a person by hand. */
function erasureRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('People')
  app.get(
    '/erasures',
    route({
      id: 'listErasures',
      auth: 'member',
      permission: 'people:read',
      summary: 'Erasures, newest first',
      description: 'Lists what was erased in the workspace, with its parts and who asked; whose data it was is no longer known.',
      query: PageQuery,
      out: Page('erasures', ErasureSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await pageErasures(ctx.db, memberCaller(request).workspaceId, { before: cursor, limit })
      return page('erasures', found, presentErasure)
    },
  )
  app.get(
    '/erasures/:id',
    route({
      id: 'getErasure',
      auth: 'member',
      permission: 'people:read',
      summary: 'The receipt of an erasure: its parts, how much of each, and when',
      description:
        'Answers the receipt of one erasure: each part, how many rows of it were erased, and when. An erasure that is not finished says `pending` and goes on by itself.',
      params: pathOf({ id: 'The id of the erasure' }),
      out: Ok(ErasureSchema),
    }),
    async (request) => {
      const { id } = request.params
      return ok(presentErasure(await getErasure(ctx.db, memberCaller(request).workspaceId, id)))
    },
  )
  const EraseQuery = Type.Object({ environment: EnvironmentAsked })
  app.delete(
    '/users/:userId',
    route({
      id: 'erasePersonOrDevice',
      auth: 'member',
      permission: 'people:manage',
      staysOpen: true,
      summary: 'Erase a person, or an anonymous device, with everything that is known of them',
      description:
        'Erases one person with all their devices, or one anonymous device, as the person could do in the app. Answers the receipt with 200, or 202 when parts remain, which are erased in the background. It works in a suspended workspace too and cannot be taken back.',
      params: UserParams,
      query: EraseQuery,
      out: { 200: Ok(ErasureSchema), 202: Ok(ErasureSchema) },
    }),
    async (request, reply) => {
      const { workspaceId, accountId } = memberCaller(request)
      const { userId } = request.params
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const profile = (await findPerson(ctx.db, workspaceId, environment, userId)) ?? failWith(404, 'person not found')
      const erase = () => eraseProfile(ctx, { workspaceId, environment, requestedBy: accountId }, profile.id)
      const { id, remaining } = await ctx.limiters.clientWrites(workspaceId, aboutPerson({ profileId: profile.id }), erase)
      const receipt = presentErasure(await getErasure(ctx.db, workspaceId, id ?? ''))
      return reply.code(remaining.length === 0 ? 200 : 202).send(ok(receipt))
    },
  )
}

type Opened = { ctx: Context; identify: Identify; proofs: Proofs }

export const routes: ModuleRoutes<Opened> = {
  client: identityRoutes,
  management: (app, { ctx, proofs }) => {
    erasureRoutes(app, ctx)
    proofRoutes(app, ctx, proofs)
    erasureRequestRoutes(app, ctx)
  },
}
