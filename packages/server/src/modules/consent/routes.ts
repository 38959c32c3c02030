import { askedLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { FastifyRequest } from 'fastify'
import { CHANNELS } from '@contentflow/core/identity/consent/consent.ts'
import { PRESETS } from '@contentflow/core/identity/consent/presets.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import { appCaller, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { sentDeviceId } from '../../http/callers/device-id.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { pathOf, DeviceHeader, LanguageHeader } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, EnvironmentAsked, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../http/schema.ts'
import { UserParams } from '../../http/path-ids.ts'
import { findOwnEnvironment, findPerson, findSubjectSalt, subjectOfPerson } from '../people/index.ts'
import { giveConsent } from './give-consent.ts'
import { pageLedger, type LedgerEntry } from './queries.ts'
import { readDecision, readUserId } from './read-consent.ts'
import { changeSuppression, setOptOut } from './suppress.ts'

const Flags = Type.Object(Object.fromEntries(CHANNELS.map((channel) => [channel, Type.Optional(Type.Boolean())])))
const Answers = Type.Record(Type.String(), Type.Boolean())
const ConsentBody = Type.Object(
  { deviceId: Type.Optional(Type.String()), userId: Type.Optional(Nullable(Type.String())), channels: Flags },
  { examples: [{ userId: 'sara', channels: { push: true, marketing: false } }] },
)
const FullBody = Type.Object({
  ...ConsentBody.properties,
  preset: Type.Optional(Type.String()),
  topics: Type.Optional(Answers),
  requiredConsents: Type.Optional(Answers),
  personalOptOut: Type.Optional(Type.Boolean()),
})
const GivenSchema = Type.Object({
  deviceId: Type.String(),
  userId: Nullable(Type.String()),
  channels: Flags,
  personalOptOut: Type.Boolean(),
})
const TextSchema = Type.Object({ en: Type.String(), ar: Type.String() })
const PresetSchema = Type.Object({
  preset: Type.String(),
  requiredConsents: Type.Array(Type.Object({ id: Type.String(), required: Type.Boolean(), label: TextSchema })),
  topics: Type.Array(Type.Object({ id: Type.String(), label: TextSchema, channels: Type.Array(Type.String()) })),
  legalFramework: Type.Object({ name: Type.String(), country: Type.String(), version: Type.String() }),
  notice: TextSchema,
})

/** What people agree to be sent, as the app reports it (C-CONS). */
function consentRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Consent')
  const headers = Type.Object({ 'x-cf-device': DeviceHeader, 'accept-language': LanguageHeader })
  const refusals = [
    'DEVICE_REQUIRED',
    'DEVICE_NOT_IDENTIFIED',
    'USER_MISMATCH',
    'USER_RATE_LIMITED',
    'SUBJECT_ERASED',
    'DEVICE_ENVIRONMENT_MISMATCH',
  ] as const
  for (const { path, id, source, body, summary, description, refuses } of [
    {
      path: '/consent',
      id: 'giveConsent',
      source: 'consent',
      body: ConsentBody,
      refuses: ['CHANNELS_REQUIRED', ...refusals],
      summary: 'Channels the person agrees to; flags left out stay as they are',
      description:
        'Stores the decision of the person on this installation, and an entry of the consent ledger for each flag that changes. Without a person it is kept with the installation. Whoever sends `userId` has to be identified as it on this installation. A user may change this ten times an hour (USER_RATE_LIMITED).',
    },
    {
      path: '/consent/full',
      id: 'giveFullConsent',
      source: 'consent_full',
      body: FullBody,
      refuses: [...refusals, 'CHANNELS_REQUIRED'],
      summary: 'The same with the answers to a preset and the personal opt-out',
      description:
        'Stores, besides channels, the answers to the topics and required consents of a preset, and `personalOptOut`, which stops all messages. The ledger keeps the preset, its version and a hash of the texts that were shown. The limits are those of POST /consent.',
    },
  ] as const) {
    app.post(path, route({ id, auth: 'app', summary, description, headers, body, out: Ok(GivenSchema), refuses }), async (request) => {
      const deviceId = consentDeviceId(request)
      const decision = readDecision(objectBody(request), source === 'consent_full')
      return ok(await giveConsent(ctx, appCaller(request), deviceId, decision, { source, locale: languageOf(request) }))
    })
  }
  app.get(
    '/consent/config/:preset',
    route({
      id: 'getConsentPreset',
      auth: 'app',
      summary: 'What an app of one trade and country usually asks for',
      description:
        'Answers the questions, topics and legal notice that apps of one trade and country usually show, in English and Arabic. Nothing is stored; what the person answers is sent to POST /consent/full. 404 for an unknown name.',
      params: pathOf({ preset: 'The name of the preset' }),
      out: Ok(PresetSchema),
    }),
    async (request) => ok(PRESETS.get(request.params.preset) ?? failWith(404, 'unknown preset')),
  )
}

/** C-CONS-08, C-CONS-22: whoever names a user must name the device too. */
function consentDeviceId(request: FastifyRequest): string {
  const deviceId = sentDeviceId(request)
  if (deviceId !== undefined) return deviceId
  if (readUserId(objectBody(request)) !== undefined) fail('DEVICE_REQUIRED')
  return failWith(400, 'device identification required')
}

/** The first language of `Accept-Language`: the one the texts were shown in. */
function languageOf(request: FastifyRequest): string | undefined {
  return askedLocale(undefined, request.headers['accept-language'])
}

export const LedgerSchema = Type.Object({
  channel: Type.String({
    description: 'A flag, saved:<flag>, analytics, personalOptOut, topic:<id>, required:<id> or frequency:<messages a week>',
  }),
  oldValue: Nullable(Type.Boolean()),
  newValue: Nullable(Type.Boolean({ description: 'null: never asked' })),
  source: Type.String(),
  preset: Nullable(Type.String()),
  presetVersion: Nullable(Type.String()),
  textHash: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  keyId: Type.String(),
  recordedAt: Time,
})
const LedgerQuery = Type.Object({
  ...PageQuery.properties,
  environment: EnvironmentAsked,
})
const UserIds = Type.Object({
  userIds: Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }), { minItems: 1, maxItems: LIMITS.bulkPeople }),
})
const statusesOf = (statuses: string[]) => Type.Array(Type.Object({ userId: Type.String(), status: Type.Enum(statuses) }))
const Suppressed = Type.Object({
  suppressed: Type.Integer(),
  alreadySuppressed: Type.Integer(),
  notFound: Type.Integer(),
  results: statusesOf(['suppressed', 'already_suppressed', 'not_found']),
})
const Restored = Type.Object({
  restored: Type.Integer(),
  skipped: Type.Integer(),
  skippedUserIds: Type.Array(Type.String()),
  results: statusesOf(['restored', 'skipped', 'not_found']),
})

/** Consent as members see and change it. */
function consentManagementRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Consent')
  app.get(
    '/users/:userId/consents',
    route({
      id: 'listConsents',
      auth: 'member',
      permission: 'people:read',
      summary: 'Who agreed to what, and when: every change, newest first',
      description:
        'Lists the entries of the consent ledger of one person, each with what was said before and after, by whom, and the preset and language of what they were shown.',
      params: UserParams,
      query: LedgerQuery,
      out: Page('consents', LedgerSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const { userId } = request.params
      const person = (await findPerson(ctx.db, workspaceId, environment, userId)) ?? failWith(404, 'person not found')
      const subject = subjectOfPerson(await findSubjectSalt(ctx.db, workspaceId), person)
      const before = cursor === undefined ? undefined : Number(cursor)
      const found = await pageLedger(ctx.db, workspaceId, environment, subject, { before, limit })
      return page('consents', found, presentEntry)
    },
  )
  const OptOutBody = Type.Object({ optedOut: Type.Boolean() })
  app.put(
    '/users/:userId/opt-out',
    route({
      id: 'setOptOut',
      auth: 'member',
      permission: 'people:write',
      summary: 'Record that a person wants nothing sent at all, or that this is over',
      description:
        'With `optedOut` true nothing leaves to this person over any channel, whatever else they agreed to. It is an entry of the consent ledger.',
      params: UserParams,
      body: OptOutBody,
      out: Ok(Type.Object({ userId: Type.String(), personalOptOut: Type.Boolean() })),
      refuses: ['SUBJECT_ERASED'],
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const { userId } = request.params
      if (!(await findPerson(ctx.db, workspaceId, await findOwnEnvironment(ctx.db, workspaceId), userId))) failWith(404, 'person not found')
      const { optedOut } = bodyOf(request)
      await setOptOut(ctx, workspaceId, userId, optedOut, accountId)
      return ok({ userId, personalOptOut: optedOut })
    },
  )
  suppressionRoutes(app, ctx)
}

function presentEntry(entry: LedgerEntry) {
  const { channel, oldValue, newValue, source, preset, presetVersion, textHash, locale, keyId, recordedAt } = entry
  return { channel, oldValue, newValue, source, preset, presetVersion, textHash, locale, keyId, recordedAt }
}

/** M-SUPP, G-45. */
function suppressionRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Consent')
  app.post(
    '/users/bulk/suppress',
    route({
      id: 'suppressPeople',
      auth: 'member',
      permission: 'people:write',
      summary: 'Switch marketing, push, SMS, WhatsApp and email off for people, keeping what they had decided',
      description:
        'Up to 5,000 people by their user ids. What each had decided is kept for POST /users/bulk/unsuppress. Whoever is suppressed already, or unknown, is named as such.',
      body: UserIds,
      out: Ok(Suppressed),
      bodyLimit: BODY_BYTES.userIds,
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const outcome = await changeSuppression(ctx, workspaceId, bodyOf(request).userIds, 'suppress', accountId)
      const names = { changed: 'suppressed', unchanged: 'already_suppressed', not_found: 'not_found' } as const
      const results = outcome.map(({ userId, status }) => ({ userId, status: names[status] }))
      const count = (status: string) => results.filter((result) => result.status === status).length
      return ok({
        suppressed: count('suppressed'),
        alreadySuppressed: count('already_suppressed'),
        notFound: count('not_found'),
        results,
      })
    },
  )
  app.post(
    '/users/bulk/unsuppress',
    route({
      id: 'unsuppressPeople',
      auth: 'member',
      permission: 'people:write',
      summary: 'Give people back what they had decided before',
      description:
        'Restores what each had decided before they were suppressed; nobody gets more than that. Whoever was not suppressed, or is unknown, is listed in `skippedUserIds`.',
      body: UserIds,
      out: Ok(Restored),
      bodyLimit: BODY_BYTES.userIds,
    }),
    async (request) => {
      const { workspaceId, accountId } = memberCaller(request)
      const outcome = await changeSuppression(ctx, workspaceId, bodyOf(request).userIds, 'unsuppress', accountId)
      const names = { changed: 'restored', unchanged: 'skipped', not_found: 'not_found' } as const
      const results = outcome.map(({ userId, status }) => ({ userId, status: names[status] }))
      const skippedUserIds = results.filter(({ status }) => status !== 'restored').map(({ userId }) => userId)
      return ok({ restored: results.length - skippedUserIds.length, skipped: skippedUserIds.length, skippedUserIds, results })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  client: (app, { ctx }) => consentRoutes(app, ctx),
  management: (app, { ctx }) => consentManagementRoutes(app, ctx),
}
