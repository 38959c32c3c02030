import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller, readCaller } from '../../http/callers/auth.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { EnvironmentAsked, Nullable, Ok, Page, PageQuery, queryOf, Type } from '../../http/schema.ts'
import { DeviceParams, UserParams } from '../../http/path-ids.ts'
import type { ClosedContacts } from './closed/queries-closed.ts'
import { closedRoutes } from './closed/routes-closed.ts'
import { parsePhone } from './parse-phone.ts'
import {
  presentClosed,
  DevicePageSchema,
  DeviceSchema,
  PlaceholdersSchema,
  PersonPageSchema,
  PersonSchema,
  presentDevice,
  presentDevicePage,
  presentPerson,
  presentProfile,
  ProfileSchema,
} from './present.ts'
import { subjectOfPerson } from './ledger.ts'
import { findErasedAt, findOwnEnvironment, findPerson, findProfile, findSubjectSalt, listSegmentNames } from './queries.ts'
import { listPlaceholders, refusesPlaceholderIds } from './queries-placeholders.ts'
import { findDeviceWithPush, listDevicesWithPush, pagePeople } from './queries-read.ts'

/** For servers, by read key: the people the workspace is about (M-READ). */
function readRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Read API')
  const person = async (workspaceId: string, userId: string) => {
    const profile = await findPerson(ctx.db, workspaceId, await findOwnEnvironment(ctx.db, workspaceId), userId)
    // M-READ-05: an anonymous device is a person only while it consents.
    const isWithdrawn = profile?.device_id !== null && profile?.analytics !== true
    return profile && !isWithdrawn ? profile : failWith(404, 'person not found')
  }
  app.get(
    '/read/users/:userId/segments',
    route({
      id: 'readSegmentsOfPerson',
      auth: 'read',
      summary: 'The segments a person is in',
      description:
        'Answers the names of the segments a person is in, as stored. An anonymous device is a person only while it consents; otherwise it is 404.',
      params: UserParams,
      out: Ok(Type.Object({ userId: Type.String(), segmentNames: Type.Array(Type.String()) })),
    }),
    async (request) => {
      const { workspaceId } = readCaller(request)
      const { userId } = request.params
      const { id } = await person(workspaceId, userId)
      return ok({ userId, segmentNames: await listSegmentNames(ctx.db, workspaceId, id) })
    },
  )
  app.get(
    '/read/users/:userId/devices',
    route({
      id: 'readDevicesOfPerson',
      auth: 'read',
      summary: "A person's devices, newest first",
      description:
        'Answers the installations of a person with platform, language and push registration. An anonymous device is a person only while it consents; otherwise it is 404.',
      params: UserParams,
      out: Ok(Type.Object({ userId: Type.String(), devices: Type.Array(DeviceSchema) })),
    }),
    async (request) => {
      const { workspaceId } = readCaller(request)
      const { userId } = request.params
      const { id } = await person(workspaceId, userId)
      return ok({ userId, devices: (await listDevicesWithPush(ctx.db, workspaceId, id)).map(presentDevice) })
    },
  )
  app.get(
    '/read/devices/:deviceId',
    route({
      id: 'readDevice',
      auth: 'read',
      summary: 'A device and the person on it; null without consent',
      description:
        'Answers one installation of the environment that the workspace is about. `profile` is the person on it, and null unless they agreed to analytics.',
      params: DeviceParams,
      out: Ok(Type.Object({ device: DeviceSchema, profile: Nullable(ProfileSchema) })),
    }),
    async (request) => {
      const { workspaceId } = readCaller(request)
      const { deviceId } = request.params
      const environment = await findOwnEnvironment(ctx.db, workspaceId)
      const device = (await findDeviceWithPush(ctx.db, workspaceId, environment, deviceId)) ?? failWith(404, 'device not found')
      const isShown = device.consent === 'granted' && device.profile_id !== null
      const profile = isShown ? await findProfile(ctx.db, workspaceId, device.profile_id ?? '') : undefined
      return ok({ device: presentDevice(device), profile: profile ? presentProfile(profile, ctx.clock.ms()) : null })
    },
  )
}

const EnvironmentQuery = Type.Object({ environment: EnvironmentAsked })
const PeopleQuery = Type.Object({
  ...PageQuery.properties,
  ...EnvironmentQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'How the user id, the email or a word of the name begins, also in the other of Latin and Arabic letters; or a whole device id or phone',
    }),
  ),
})

/** People as members see them. */
function peopleRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('People')
  app.get(
    '/users',
    route({
      id: 'listPeople',
      auth: 'member',
      permission: 'people:read',
      summary: 'Find people, newest first',
      description:
        'Finds people of one environment by the beginning of the user id, email or a word of the name, or by a whole device id or phone number. Contacts are masked for whoever lacks `people:contacts`.',
      query: PeopleQuery,
      out: Page('users', PersonSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, search, environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const found = await pagePeople(ctx.db, workspaceId, environment, {
        search: search ? { text: search, phones: phonesIn(search) } : undefined,
        before: cursor,
        limit,
      })
      return page('users', found, presentPerson)
    },
  )
  app.get(
    '/users/:userId',
    route({
      id: 'getPerson',
      auth: 'member',
      permission: 'people:read',
      summary: 'A person, with their segments and devices',
      description:
        'Answers what is known of one person: traits, contacts, consent, language, place, segments and devices. Values from other systems are under /users/{userId}/enrichment.',
      params: UserParams,
      query: EnvironmentQuery,
      out: Ok(PersonPageSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { userId } = request.params
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const profile = (await findPerson(ctx.db, workspaceId, environment, userId)) ?? failWith(404, 'person not found')
      const segmentNames = await listSegmentNames(ctx.db, workspaceId, profile.id)
      const devices = (await listDevicesWithPush(ctx.db, workspaceId, profile.id)).map(presentDevice)
      const subject = subjectOfPerson(await findSubjectSalt(ctx.db, workspaceId), profile)
      const erased = await findErasedAt(ctx.db, workspaceId, environment, subject)
      // A person whose erasure is still running has not come back.
      const erasedAt = erased && erased <= profile.created_at ? erased : null
      return ok({
        ...presentProfile(profile, ctx.clock.ms()),
        language: profile.language,
        place: profile.location as { country?: string; region?: string; city?: string },
        closedContacts: presentClosed(profile.closed_contacts as ClosedContacts),
        erasedAt,
        segmentNames,
        devices,
      })
    },
  )
  app.get(
    '/devices/:deviceId',
    route({
      id: 'getDevice',
      auth: 'member',
      permission: 'people:read',
      summary: 'A device, whoever is on it, with its consent, segments and push registration',
      description: 'Answers one installation of one environment with consent, segments and push registration, and who uses it.',
      params: DeviceParams,
      query: EnvironmentQuery,
      out: Ok(DevicePageSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { deviceId } = request.params
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const device = (await findDeviceWithPush(ctx.db, workspaceId, environment, deviceId)) ?? failWith(404, 'device not found')
      const profile = device.profile_id === null ? undefined : await findProfile(ctx.db, workspaceId, device.profile_id)
      const segmentNames = profile ? await listSegmentNames(ctx.db, workspaceId, profile.id) : []
      return ok(presentDevicePage(device, profile, segmentNames, ctx.clock.now()))
    },
  )
}

/** Phone numbers that a text may stand for: as it was typed, or without its plus. */
function phonesIn(text: string): string[] {
  return [text, `+${text}`].flatMap((each) => parsePhone(each, undefined) ?? [])
}

/** Users that stand for many people, because an app sends one id for everybody. */
function placeholderRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/contacts/placeholder-ids',
    routeIn('People')({
      id: 'listPlaceholderIds',
      auth: 'member',
      permission: 'people:read',
      summary: 'User ids such as undefined that an app sends for everybody, from twenty devices on',
      description:
        'Finds user ids such as `undefined` or `null` under which many devices were identified, because an app sent the text of a missing value. `refused` says whether the protection against them is on.',
      query: EnvironmentQuery,
      out: Ok(PlaceholdersSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const [refused, ids] = await Promise.all([
        refusesPlaceholderIds(ctx.db, workspaceId),
        listPlaceholders(ctx.db, workspaceId, environment),
      ])
      return ok({ refused, ids })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    readRoutes(app, ctx)
    peopleRoutes(app, ctx)
    closedRoutes(app, ctx)
    placeholderRoutes(app, ctx)
  },
}
