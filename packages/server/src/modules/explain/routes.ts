import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import type { Context } from '../../context.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf, BLOCK_KEY } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { EnvironmentName, Nullable, Ok, queryOf, Shaped, Time, Type } from '../../http/schema.ts'
import { DeviceParams } from '../../http/path-ids.ts'
import { guardWriteOnly, roundedFor } from '../segments/index.ts'
import { explainBlock } from './explain-block.ts'
import { explainDevice } from './explain-device.ts'
import { explainSegment } from './explain-segment.ts'
import type { SegmentEvidence } from './trace-segment.ts'

const route = routeIn('Explain')

const Query = Type.Object({
  deviceId: Type.Optional(Type.String({ maxLength: LIMITS.deviceIdLength, description: 'Left out: a request that names no device' })),
  environment: Type.Enum(['live', 'test'], { default: 'live', description: 'Of the key the device calls with' }),
  locale: Type.Optional(Type.String({ maxLength: 100, description: 'The language the device asks for' })),
})
const DeviceQuery = Type.Object({ environment: Query.properties.environment, locale: Query.properties.locale })
const Bar = Type.Enum(['no_device', 'device_unknown', 'device_of_other_environment', 'record_lapsed', 'consent_unknown', 'consent_denied'])
const Reason = Type.String({
  description:
    'delivered, feature_disabled, not_published, schedule_not_started, schedule_ended, not_in_segment, or why the device gets untargeted content only',
})
const Device = Type.Object({
  deviceId: Nullable(Type.String()),
  bar: Nullable(Bar),
  environment: Nullable(EnvironmentName),
  consent: Nullable(Type.String()),
  userId: Nullable(Type.String()),
  expiresAt: Nullable(Time),
  segments: Type.Array(Type.String()),
  evaluatedAt: Nullable(Time),
})
const AnySchedule = Nullable(Shaped<Schedule>(Type.Object({}, { additionalProperties: true })))
const TooLong = Type.Boolean({
  description: 'More is published for this device than one answer takes: GET /sync is 503, and it keeps what it has',
})
export const ExplanationSchema = Type.Object({
  blockKey: Type.String(),
  environment: EnvironmentName,
  at: Time,
  device: Device,
  isTooLong: TooLong,
  instances: Type.Array(
    Type.Object({
      instanceId: Type.String(),
      title: Type.String(),
      isDelivered: Type.Boolean(),
      reason: Reason,
      evidence: Type.Object({
        publishedTo: Type.Array(EnvironmentName),
        schedule: AnySchedule,
        segment: Type.Optional(
          Type.Object({
            name: Type.String(),
            isInSnapshot: Type.Boolean({ description: 'What delivery uses until the next identify or refresh' }),
            now: Nullable(
              Shaped<SegmentEvidence>(
                Type.Object(
                  {},
                  {
                    additionalProperties: true,
                    description: 'The rules asked just now, leaf by leaf; null for viewers where industry data or imported data decide',
                  },
                ),
              ),
            ),
          }),
        ),
        variant: Type.Optional(
          Type.Object({ id: Nullable(Type.String()), bucket: Nullable(Type.Integer()), weights: Type.Array(Type.Number()) }),
        ),
        children: Type.Optional(
          Type.Array(
            Type.Object({ instanceId: Type.String(), parentId: Type.String(), reason: Type.String(), isDelivered: Type.Boolean() }),
          ),
        ),
      }),
    }),
  ),
})

export const DeviceContentSchema = Type.Object({
  environment: EnvironmentName,
  at: Time,
  device: Device,
  isTooLong: TooLong,
  delivered: Type.Integer({ description: 'How many of the published instances the device gets' }),
  published: Type.Integer(),
  instances: Type.Array(
    Type.Object({
      instanceId: Type.String(),
      title: Type.String(),
      label: Nullable(Type.String()),
      blockKey: Type.String(),
      blockName: Type.String(),
      screen: Type.String(),
      segment: Nullable(Type.String({ description: 'Whom it is for; null: everyone' })),
      schedule: AnySchedule,
      variant: Nullable(Type.String()),
      isDelivered: Type.Boolean(),
      reason: Reason,
    }),
    { description: 'At most 500; those it gets come first, in the order of delivery' },
  ),
})

const SegmentQuery = Type.Object({
  person: Type.String({ minLength: 1, maxLength: LIMITS.userIdLength, description: 'A user id, or the device id of an anonymous person' }),
  environment: Type.Enum(['live', 'test'], { default: 'live', description: 'Of the person' }),
})
export const SegmentExplanationSchema = Type.Object({
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String()),
  at: Time,
  isMember: Type.Boolean({ description: 'By the rules at this moment, with excluded segments and those added by hand' }),
  isStored: Type.Boolean({ description: 'What the stored list says, which may be older' }),
  isAddedByHand: Type.Boolean(),
  excludedBy: Type.Array(Type.String()),
  trace: Shaped<SegmentTrace>(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The rules with `held` and what was `found`; never of enrichment and industry data' },
    ),
  ),
})

/** Answers for people who ask "why does this phone not show it". */
function explainRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/explain/blocks/:blockKey',
    route({
      id: 'explainBlock',
      auth: 'member',
      permission: 'content:read',
      readsAll: true,
      summary: 'Why a device gets, or does not get, each instance of a block type',
      description:
        'Answers every instance of the type with whether this device gets it and the one reason that decided, with its evidence: schedule, segment with its rules, variant. Rules on industry or imported data are shown to editors and admins only.',
      params: pathOf({ blockKey: BLOCK_KEY }),
      query: Query,
      out: Ok(ExplanationSchema),
    }),
    async (request) => {
      const { blockKey } = request.params
      const { deviceId, environment, locale } = queryOf(request)
      const caller = memberCaller(request)
      const question = { workspaceId: caller.workspaceId, blockKey, environment, deviceId: deviceId || undefined, locale: locale ?? '' }
      return ok(await explainBlock(ctx, question, await roundedFor(ctx, caller)))
    },
  )
  app.get(
    '/explain/devices/:deviceId',
    route({
      id: 'explainDevice',
      auth: 'member',
      permission: 'people:read',
      readsAll: true,
      summary: 'What a device gets now, and why it does not get the rest',
      description: 'Answers each published instance with whether the device gets it and why not.',
      params: DeviceParams,
      query: DeviceQuery,
      out: Ok(DeviceContentSchema),
    }),
    async (request) => {
      const { deviceId } = request.params
      const { environment, locale } = queryOf(request)
      const { workspaceId } = memberCaller(request)
      return ok(await explainDevice(ctx, { workspaceId, environment, deviceId, locale: locale ?? '' }))
    },
  )
  app.get(
    '/segments/:id/explain',
    route({
      id: 'explainSegment',
      auth: 'member',
      permission: 'people:read',
      summary: 'Why one person is in a segment or not, rule by rule; of industry data and imported data for editors and admins',
      description:
        'Answers whether one person is in the segment by the rules at this moment and as stored, with each rule and what was found for it.',
      params: pathOf({ id: 'The id of the segment' }),
      query: SegmentQuery,
      out: Ok(SegmentExplanationSchema),
    }),
    async (request) => {
      const { id } = request.params
      const { person, environment } = queryOf(request)
      const caller = memberCaller(request)
      await guardWriteOnly(ctx, caller, { segments: [id] })
      return ok(await explainSegment(ctx, { workspaceId: caller.workspaceId, segmentId: id, environment, person }))
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => explainRoutes(app, ctx),
}
