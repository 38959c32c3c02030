import { choiceOf, MOST_HELD_OUT, readHoldout, type Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, TimeText, Type } from '../../http/schema.ts'
import { getSettings } from './queries.ts'
import { setHoldout } from './settings.ts'

const percent = Type.Integer({ minimum: 0, maximum: MOST_HELD_OUT, description: 'Of a hundred people; 0: nobody is held out' })
export const HoldoutSchema = Type.Object({
  percent,
  startsAt: Nullable(TimeText),
  endsAt: Nullable(TimeText),
  since: Nullable(Type.String({ description: 'From then on both sides are compared: since the share or the start were last changed' })),
})
const Body = Type.Object(
  {
    percent,
    startsAt: Type.Optional(Nullable(Type.String({ description: 'ISO 8601; null only with 0 percent' }))),
    endsAt: Type.Optional(Nullable(Type.String({ description: 'ISO 8601; null: it has no end' }))),
  },
  { additionalProperties: false, examples: [{ percent: 5, startsAt: '2026-12-01T00:00:00Z', endsAt: null }] },
)
const Answer = { 200: Ok(HoldoutSchema) }

/** A share of the people who get no campaign and no message of a journey, so that it is seen what all of them change. */
export function holdoutRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/holdout'
  app.get(
    path,
    route({
      id: 'getHoldout',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Which share of the people is held out',
      description: 'Answers the share, its beginning and end, and since when both sides are compared.',
      out: Answer,
    }),
    async (request) => {
      const { holdout } = await getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok(present(holdout as Holdout | null))
    },
  )
  app.put(
    path,
    route({
      id: 'setHoldout',
      auth: 'member',
      permission: 'settings:manage',
      summary:
        'Hold a share of the live people out of campaigns and journeys: more percent keeps those there were, and begins the comparison anew',
      description: 'People who are held out get no campaign and no message of a journey from the start on. With 0 nobody is held out.',
      body: Body,
      out: Answer,
    }),
    async (request) => {
      const read = readHoldout(bodyOf(request))
      if (!read.ok) failWith(400, read.error.replace(/^\./, ''))
      return ok(present(await setHoldout(ctx, actorOf(request), read.value)))
    },
  )
}

function present(holdout: Holdout | null) {
  return { ...choiceOf(holdout), since: holdout?.since ?? null }
}
