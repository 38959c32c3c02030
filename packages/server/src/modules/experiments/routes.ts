import { planOf } from '@contentflow/core/experiments/plan.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../http/schema.ts'
import { findBaseline } from './baseline.ts'
import { holdoutReportRoutes } from './routes-holdout.ts'
import { storedRoutes } from './routes-experiments.ts'

const route = routeIn('Experiments')
/** Groups that are compared, and effects that can be asked for. */
const LIMITS = { variants: { min: 2, max: 20 }, effect: { min: 0.001, max: 10 }, dailyUnits: 1_000_000_000 } as const

const PlanBody = Type.Object(
  {
    baseline: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: 'The share that does it now. Needed without `subject`' }),
    ),
    subject: Type.Optional(
      Type.Object(
        {
          campaignId: Type.Optional(Type.String()),
          metric: Type.Optional(Type.Enum(['clicks', 'conversions'], { default: 'clicks' })),
        },
        {
          additionalProperties: false,
          description:
            'A campaign whose share, and whose devices a day, are taken; without campaignId those that went live in the last 30 days',
        },
      ),
    ),
    relativeEffect: Type.Number({
      minimum: LIMITS.effect.min,
      maximum: LIMITS.effect.max,
      description: 'The rise worth finding, as a part of the share now: 0.2 is from 5 % to 6 %',
    }),
    variants: Type.Optional(Type.Integer({ minimum: LIMITS.variants.min, maximum: LIMITS.variants.max, default: 2 })),
    dailyUnits: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: LIMITS.dailyUnits,
        description: 'Devices that see it on a day, of all variants together',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ baseline: 0.05, relativeEffect: 0.2, variants: 2, dailyUnits: 1000 }] },
)
export const PlanSchema = Type.Object({
  baseline: Type.Number(),
  dailyUnits: Nullable(Type.Number({ description: 'What was sent, or what `subject` says; null: nobody knows' })),
  perVariant: Type.Integer({
    description:
      'Devices that each variant needs, so that one reading at that size (level 0.03) finds such a rise 80 times in a hundred. The verdict of the report, which may be looked at on any day, needs more for that',
  }),
  total: Type.Integer(),
  days: Nullable(Type.Integer({ description: 'null: nobody knows how many come on a day' })),
  smallestIn14Days: Nullable(
    Type.Number({
      description: 'The smallest rise, as a part of the share now, that two weeks would find; null: none up to twice the share',
    }),
  ),
})

function experimentRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/experiments/plan',
    route({
      id: 'planExperiment',
      auth: 'member',
      permission: 'analytics:read',
      isRead: true,
      summary: 'How many devices a comparison of variants needs, and how long that takes; nothing is stored',
      description:
        'Works out how many devices each variant needs to find a rise of the given size, from a share that you know or that a campaign has now, and how many days that takes.',
      body: PlanBody,
      out: Ok(PlanSchema),
    }),
    async (request) => {
      const { subject, relativeEffect, variants = 2, ...asked } = bodyOf(request, PlanBody)
      if ((asked.baseline === undefined) === (subject === undefined)) failWith(400, 'Send baseline, or subject')
      const found = subject && (await findBaseline(ctx, memberCaller(request).workspaceId, subject))
      const baseline = asked.baseline ?? found?.baseline ?? 0
      const dailyUnits = asked.dailyUnits ?? found?.dailyUnits
      const plan = planOf({ baseline, relativeEffect, variants, dailyUnits })
      return ok({
        baseline,
        dailyUnits: dailyUnits ?? null,
        ...(plan ?? failWith(400, 'relativeEffect: the share that is looked for would be 1 or more')),
      })
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    experimentRoutes(app, ctx)
    storedRoutes(app, ctx)
    holdoutReportRoutes(app, ctx)
  },
}
