import { PUSH_PROVIDERS } from '@contentflow/core/push/providers.ts'
import type { Context } from '../../context.ts'
import { appCaller } from '../../http/callers/auth.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { deviceIdOf, headerDeviceId } from '../../http/callers/device-id.ts'
import { ok, partial } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Nullable, Ok, Partial, Type } from '../../http/schema.ts'
import { readRegistration, registerPush } from './register-push.ts'
import { removePush } from './remove-push.ts'
import { setPreferences } from './set-preferences.ts'
import { addTopic, listTopics, removeTopic } from './topics.ts'

const route = routeIn('Push')
const DeviceHeaders = Type.Object({
  'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
})
const deviceId = Type.Optional(Type.String())

/** Push tokens, preferences and topics of an installation (C-PUSH). */
function pushRoutes(app: Routes, ctx: Context): void {
  registrationRoutes(app, ctx)
  preferenceRoute(app, ctx)
  topicRoutes(app, ctx)
}

function registrationRoutes(app: Routes, ctx: Context): void {
  const Body = Type.Object(
    {
      token: Type.String({ description: 'A web subscription is sent as its JSON text' }),
      platform: Type.Enum(['ios', 'android', 'web']),
      provider: Type.Optional(Type.Enum([...PUSH_PROVIDERS], { description: 'By platform when left out' })),
      hmsConfig: Type.Optional(Type.Object({ appId: Type.String() })),
      userId: Type.Optional(Nullable(Type.String({ description: 'Must be the user this installation is identified as' }))),
      deviceId,
    },
    { examples: [{ token: 'fcm-token', platform: 'android' }] },
  )
  const Registered = Type.Object({
    registered: Type.Literal(true),
    linkage: Type.Object({ status: Type.Enum(['identified', 'anonymous']) }),
  })
  app.post(
    '/register-push',
    route({
      id: 'registerPush',
      auth: 'app',
      summary: 'The push token of this installation; taken from whichever other one had it',
      description:
        'Stores the push token of this installation. If another installation had the token, it loses it. With `userId` the installation has to be identified as that user. A user may add only a few new devices a day (USER_RATE_LIMITED). 207 PUSH_LINKAGE_INCOMPLETE: nothing was stored, repeat the call.',
      headers: DeviceHeaders,
      body: Body,
      out: { 200: Ok(Registered), 207: Partial(Type.Object({ registered: Type.Literal(false) }, { title: 'PushUnfinished' })) },
      refuses: [
        'INVALID_PUSH_PLATFORM',
        'INVALID_PUSH_PROVIDER',
        'USER_ID_DEVICE_MISMATCH',
        'USER_RATE_LIMITED',
        'PUSH_LINKAGE_INCOMPLETE',
        'DEVICE_ENVIRONMENT_MISMATCH',
        'DEVICE_NOT_IDENTIFIED',
      ],
    }),
    async (request, reply) => {
      const device = deviceIdOf(request)
      const status = await registerPush(ctx, appCaller(request), device, readRegistration(objectBody(request)))
      if (status === undefined) return reply.code(207).send(partial('PUSH_LINKAGE_INCOMPLETE', undefined, { registered: false as const }))
      return ok({ registered: true as const, linkage: { status } })
    },
  )
  app.delete(
    '/register-push',
    route({
      id: 'unregisterPush',
      auth: 'app',
      summary: 'Forget the push token of this installation; consent stays',
      description:
        'Removes the push token of this installation and nothing else: consent and topics stay. `removed` is false when there was none.',
      headers: DeviceHeaders,
      out: Ok(Type.Object({ removed: Type.Boolean() })),
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request) => ok({ removed: await removePush(ctx, appCaller(request), deviceIdOf(request)) }),
  )
}

const Preferences = Type.Object({
  quietHours: Type.Optional(Type.Object({ start: Type.String(), end: Type.String(), timezone: Type.Optional(Type.String()) })),
  respectPrayerTimes: Type.Optional(Type.Boolean()),
  urgentOnly: Type.Optional(Type.Boolean()),
  digest: Type.Optional(Type.Enum(['off', 'daily', 'weekly'])),
})

function preferenceRoute(app: Routes, ctx: Context): void {
  const { quietHours, respectPrayerTimes, urgentOnly, digest } = Preferences.properties
  const Body = Type.Object({
    quietHours: Nullable(quietHours),
    respectPrayerTimes: Nullable(respectPrayerTimes),
    urgentOnly: Nullable(urgentOnly),
    digest: Nullable(digest),
    deviceId,
  })
  const Answer = Type.Object({
    stored: Type.Boolean(),
    preferences: Type.Optional(Preferences),
    reason: Type.Optional(Type.Literal('feature_disabled')),
  })
  app.patch(
    '/push/preferences',
    route({
      id: 'changePushPreferences',
      auth: 'app',
      summary: "Change the person's push preferences; members left out stay, null clears one",
      description:
        'Stores quiet hours, prayer times, urgency and digest for the person on this installation, and answers all that is set afterwards. The installation has to be known with consent. A workspace with this switched off answers `stored: false`.',
      headers: DeviceHeaders,
      body: Type.Partial(Body, {
        examples: [{ quietHours: { start: '22:00', end: '07:00', timezone: 'Asia/Riyadh' }, digest: 'daily' }],
      }),
      out: Ok(Answer),
      refuses: ['DEVICE_NOT_IDENTIFIED', 'DEVICE_ENVIRONMENT_MISMATCH', 'SUBJECT_ERASED'],
    }),
    async (request) => {
      const caller = appCaller(request)
      const device = deviceIdOf(request)
      if (!caller.features.pushPreferences) return ok({ stored: false, reason: 'feature_disabled' as const })
      return ok({ stored: true, preferences: await setPreferences(ctx, caller, device, objectBody(request)) })
    },
  )
}

function topicRoutes(app: Routes, ctx: Context): void {
  const Topics = Ok(Type.Object({ topics: Type.Array(Type.String()) }))
  const path = '/push/topics'
  app.get(
    path,
    route({
      id: 'listPushTopics',
      auth: 'app',
      summary: 'Topics of this installation',
      description:
        'Answers the topics that this installation subscribed to, in the order in which it did. An installation that is not known here has none.',
      headers: Type.Object({ 'x-cf-device': Type.String({ description: 'The id of the installation' }) }),
      out: Topics,
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request) => ok({ topics: await listTopics(ctx, appCaller(request), headerDeviceId(request)) }),
  )
  app.post(
    path,
    route({
      id: 'subscribePushTopic',
      auth: 'app',
      summary: 'Subscribe this installation to a topic',
      description:
        'Adds one topic to this installation; a topic it has already changes nothing. An installation that is not known yet is made. At most 100 topics each.',
      headers: DeviceHeaders,
      body: Type.Object({ topic: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), deviceId }),
      out: Topics,
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request) => ok({ topics: await addTopic(ctx, appCaller(request), deviceIdOf(request), objectBody(request)['topic']) }),
  )
  app.delete(
    `${path}/:topic`,
    route({
      id: 'unsubscribePushTopic',
      auth: 'app',
      summary: 'Unsubscribe this installation from a topic',
      description: 'Takes one topic off this installation; one it does not have changes nothing. Answers the topics that remain.',
      headers: DeviceHeaders,
      params: pathOf({ topic: 'The name of the topic' }),
      out: Topics,
      refuses: ['DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request) => ok({ topics: await removeTopic(ctx, appCaller(request), deviceIdOf(request), request.params.topic) }),
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  client: (app, { ctx }) => pushRoutes(app, ctx),
}
