import { CHANNEL_TYPES, type ChannelType } from '@contentflow/core/channels/channel.ts'
import { WEEKLY_LIMITS } from '@contentflow/core/identity/consent/decisions.ts'
import type { ChannelChoice, Preferences } from '@contentflow/core/identity/consent/preferences.ts'
import { askedLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { appCaller } from '../../http/callers/auth.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { deviceIdOf, headerDeviceId } from '../../http/callers/device-id.ts'
import { LanguageHeader } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type, type Static } from '../../http/schema.ts'
import { readDeviceState, requireConsenting } from '../people/index.ts'
import { changeOwn, mayChange, readPreferences, savePreferences, type OwnPage, type Owner } from './preferences.ts'

const Choice = Type.Object({ channel: Type.Enum([...CHANNEL_TYPES]), wanted: Type.Boolean() })
const Shown = Type.Object({
  channels: Type.Array(Choice, { description: 'Those that the person has a contact for' }),
  topics: Type.Array(
    Type.Object({
      id: Type.String(),
      names: Type.Record(Type.String(), Type.String(), { description: 'By language' }),
      descriptions: Type.Record(Type.String(), Type.String()),
      channels: Type.Array(Choice),
    }),
  ),
  maxMessagesAWeek: Nullable(Type.Integer({ description: `One of ${WEEKLY_LIMITS.join(', ')}; null: as many as there are` })),
  tracking: Nullable(
    Type.Boolean({ description: "Whether openings and clicks of mails may be counted; null: nobody's are, so nothing is asked" }),
  ),
})
const Flags = Type.Object(Object.fromEntries(CHANNEL_TYPES.map((channel) => [channel, Type.Optional(Type.Boolean())])), {
  additionalProperties: false,
})
const Body = Type.Object(
  {
    deviceId: Type.Optional(Type.String({ description: 'As X-CF-Device, which wins' })),
    channels: Type.Optional(Flags),
    topics: Type.Optional(Type.Record(Type.String(), Flags, { description: 'By topic; channels left out stay' })),
    maxMessagesAWeek: Type.Optional(Nullable(Type.Enum([...WEEKLY_LIMITS]))),
    tracking: Type.Optional(Type.Boolean()),
  },
  { examples: [{ topics: { news: { email: false } }, maxMessagesAWeek: 2 }] },
)

/** The same choices for an app in which the person is identified. */
export function clientPreferenceRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Consent')
  const refuses = ['DEVICE_NOT_IDENTIFIED', 'SUBJECT_ERASED'] as const
  app.get(
    '/preferences',
    route({
      id: 'getPreferences',
      auth: 'app',
      summary: 'What the person on this installation chose among messages, and what there is to choose',
      description:
        'Answers the channels the person has a contact for, the topics they may choose among, their weekly limit and whether openings may be counted. The installation has to be identified with consent.',
      headers: Type.Object({ 'x-cf-device': Type.String({ description: 'The id of the installation' }) }),
      out: Ok(Shown),
      refuses,
    }),
    async (request) => {
      const owner = await ownerOf(ctx, appCaller(request), headerDeviceId(request))
      return ok(present((await readPreferences(ctx, owner)) ?? fail('SUBJECT_ERASED')))
    },
  )
  app.put(
    '/preferences',
    route({
      id: 'setPreferences',
      auth: 'app',
      summary: 'What the person chose; what is left out stays as it was',
      description:
        'Stores what the person chose among messages; what is left out stays as it was. Every change is an entry of the consent ledger. 400 for a topic or channel that this person is not offered; 429 USER_RATE_LIMITED for too many changes within an hour.',
      headers: Type.Object({
        'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
        'accept-language': LanguageHeader,
      }),
      body: Body,
      out: Ok(Shown),
      refuses: [...refuses, 'USER_RATE_LIMITED'],
    }),
    async (request) => {
      const caller = appCaller(request)
      const body = bodyOf(request)
      const owner = await ownerOf(ctx, caller, deviceIdOf(request))
      if (!(await mayChange(ctx, owner))) fail('USER_RATE_LIMITED')
      const locale = askedLocale(undefined, request.headers['accept-language'])
      await changeOwn(ctx, owner, (change) =>
        savePreferences(change, chosenOf(change.page, body), { ...(locale && { locale }) }, caller.keyId),
      )
      return ok(present((await readPreferences(ctx, owner)) ?? fail('SUBJECT_ERASED')))
    },
  )
}

/** 403 unless somebody is identified with consent on the installation. */
async function ownerOf(ctx: Context, caller: AppCaller, deviceId: string): Promise<Owner> {
  const now = ctx.clock.now()
  const state = await readDeviceState(ctx.db, caller, deviceId, now)
  return { workspaceId: caller.workspaceId, profileId: requireConsenting(state, now).profile.id }
}

/** 400 for what cannot be chosen, with its path. */
function chosenOf({ preferences }: OwnPage, { channels = {}, topics = {}, maxMessagesAWeek, tracking }: Static<typeof Body>): Preferences {
  const wanted = Object.entries(topics).map(([id, flags]) => {
    const topic = preferences.topics.find((each) => each.id === id)
    if (!topic) failWith(400, `topics.${JSON.stringify(id)}: this person is offered no such topic`)
    return { id, channels: choicesOf(`topics.${id}`, flags, topic.channels) }
  })
  return {
    channels: choicesOf('channels', channels, preferences.channels),
    topics: wanted,
    maxMessagesAWeek: maxMessagesAWeek === undefined ? preferences.maxMessagesAWeek : maxMessagesAWeek,
    tracking: preferences.tracking === null ? null : (tracking ?? null),
  }
}

function choicesOf(at: string, flags: { [channel in ChannelType]?: boolean }, offered: readonly ChannelChoice[]): ChannelChoice[] {
  const unknown = CHANNEL_TYPES.find((channel) => flags[channel] !== undefined && !offered.some((each) => each.channel === channel))
  if (unknown !== undefined) failWith(400, `${at}.${unknown}: this person is not asked about it`)
  return offered.flatMap(({ channel }) => {
    const is = flags[channel]
    return is === undefined ? [] : [{ channel, wanted: is }]
  })
}

function present({ preferences, topics }: OwnPage): Static<typeof Shown> {
  const { channels, maxMessagesAWeek, tracking } = preferences
  const shown = preferences.topics.flatMap(({ id, channels: of }) => {
    const topic = topics.find((each) => each.id === id)
    return topic ? [{ id, names: topic.names, descriptions: topic.descriptions, channels: of }] : []
  })
  return { channels, topics: shown, maxMessagesAWeek, tracking }
}
