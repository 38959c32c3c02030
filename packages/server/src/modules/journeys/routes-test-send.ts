import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { listSteps, sentMailOf } from '@contentflow/core/journeys/journey.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../http/schema.ts'
import type { Channels } from '../channels/index.ts'
import { sendTest } from '../sends/index.ts'
import { withTextsOfNow } from './mails-of-steps.ts'
import { getJourney } from './queries.ts'

const TestBody = Type.Object(
  {
    step: Type.String({ minLength: 1, maxLength: 100, description: 'The id of a step that sends' }),
    to: Type.Union([
      Type.Literal('me'),
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 10, uniqueItems: true }),
    ]),
    locale: Type.Optional(
      Type.String({ minLength: 2, maxLength: 35, description: 'Of the languages it is written in; left out: as each person would get it' }),
    ),
    as: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'To yourself: a user id, whose values the placeholders are filled with' }),
    ),
    values: Type.Optional(
      Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 500 }), {
        maxProperties: 100,
        description: 'To yourself: an example for each placeholder that is not to stand as it is written, as `customAttributes.plan`',
      }),
    ),
  },
  {
    examples: [
      { step: 'welcome', to: 'me' },
      { step: 'welcome', to: ['user-1'], locale: 'ar' },
    ],
  },
)
const Tried = Type.Object({
  userId: Nullable(Type.String({ description: 'null: yourself' })),
  channel: Type.Enum([...SEND_CHANNELS]),
  sent: Type.Boolean(),
  reason: Type.Optional(Type.String()),
})

/** The message of one step, to those who try it; nobody enters the journey. */
export function testSendRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/journeys/:id/test-send',
    routeIn('Journeys')({
      id: 'testJourneyStep',
      callsOut: true,
      auth: 'member',
      permission: 'journeys:send',
      summary: 'Send the message of a step, marked as a test, by email to yourself or over its channel to people you name',
      description:
        'Sends one message with the mark of a test. To yourself it goes by email, with the values of the person or the examples that you name; people you name get it over the channel of the step, if they agreed to it. `reason` says why somebody did not get it, in the words of the provider where it refused.',
      params: pathOf({ id: 'The id of the journey' }),
      body: TestBody,
      out: Ok(Type.Object({ results: Type.Array(Tried) })),
      refuses: ['CHANNEL_TEST_RATE_LIMITED'],
    }),
    async (request) => {
      const caller = memberCaller(request)
      const { workspaceId } = caller
      const journey = await getJourney(ctx.db, workspaceId, request.params.id)
      const { step: stepId, to, ...how } = bodyOf(request)
      // Of a draft, with what the catalog of texts and saved parts say now.
      const steps = journey.status === 'draft' ? await withTextsOfNow({ tx: ctx.db, workspaceId }, journey.steps) : journey.steps
      const step = listSteps(steps).find(({ id }) => id === stepId)
      if (step?.type !== 'send') failWith(400, `step: the journey has no step ${JSON.stringify(stepId)} that sends`)
      const { channel, content } = step
      return ok({
        results: await sendTest({ ctx, channels }, caller, to, {
          ...how,
          content,
          mail: sentMailOf(step),
          channels: SEND_CHANNELS.filter((each) => each === channel),
          sourceId: journey.id,
          hasEvents: true,
        }),
      })
    },
  )
}
