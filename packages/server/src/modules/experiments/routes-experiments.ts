import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { expectedVersion, IfMatch } from '../../http/if-match.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, queryOf, Type } from '../../http/schema.ts'
import { shortPage } from '../../http/short-list.ts'
import { changeExperiment, decideExperiment, plannedExperiment } from './change-experiment.ts'
import { DecisionBody, ExperimentBody, ExperimentOut, ExperimentPage, ExperimentsQuery } from './present.ts'
import { findExperiment, listExperiments } from './queries.ts'
import { presentExperiment, presentList, stateOf } from './read-experiments.ts'

const route = routeIn('Experiments')
/** Of a workspace, the newest are listed. */
const MOST = 1_000
const Params = Type.Object({
  id: Type.String({ maxLength: 300, description: '`instance:<id>`, `campaign:<id>` or `control:<id of the campaign>`' }),
})
const RestartQuery = Type.Object({
  restart: Type.Boolean({
    default: false,
    description: 'Begin a new run, with nothing counted, where the metric, a guardrail or the plan changes',
  }),
})

/** Comparisons of variants, as they are stored. */
export function storedRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/experiments',
    route({
      id: 'listExperiments',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'Experiments, the newest first. One exists by itself once a published item or campaign with variants was seen',
      description: 'Lists comparisons of variants with where each stands. `state` narrows the list.',
      query: ExperimentsQuery,
      out: ExperimentPage,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const query = queryOf(request)
      const all = await listExperiments(ctx.db, workspaceId, MOST)
      const found = all.filter((one) => query.state === undefined || stateOf(one) === query.state)
      const { items, total, next } = shortPage(found, query, ({ id }) => id)
      return ok({ experiments: await presentList(ctx, workspaceId, items) }, { total, nextCursor: next })
    },
  )
  app.get(
    '/experiments/:id',
    route({
      id: 'getExperiment',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'One experiment: its groups, days, guardrails and what is needed still; some seconds behind',
      description:
        'Answers counts by group and day, the verdict, guardrails, whether the groups have the sizes they should, and how much more is needed.',
      params: Params,
      out: ExperimentOut,
    }),
    async (request) => ok(await readExperiment(ctx, memberCaller(request).workspaceId, request.params.id)),
  )
  app.put(
    '/experiments/:id',
    route({
      id: 'changeExperiment',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Name it, or choose its metric, guardrails and plan: before anybody saw it, or for a new run',
      description:
        'Names the experiment, or chooses metric, guardrails and plan. Once devices were counted these are refused with EXPERIMENT_STARTED, unless `restart` begins a new run with nothing counted.',
      params: Params,
      query: RestartQuery,
      body: ExperimentBody,
      out: ExperimentOut,
      refuses: ['EXPERIMENT_STARTED', 'TRACKERS_EXCEEDED'],
    }),
    async (request) => {
      const by = actorOf(request)
      const { id } = request.params
      await readExperiment(ctx, by.workspaceId, id)
      const { restart: isRestart } = queryOf(request)
      await changeExperiment(ctx, by, id, bodyOf(request, ExperimentBody), { isRestart })
      return ok(await readExperiment(ctx, by.workspaceId, id))
    },
  )
  app.post(
    '/experiments/:id/decide',
    route({
      id: 'decideExperiment',
      auth: 'member',
      permission: 'content:publish',
      summary: 'Write down what came of it; it counts nothing from then on. What people get stays as it is, unless `apply` edits it',
      description:
        'Writes down which variant was chosen and why, and ends the counting. With `apply` the content or campaign is edited to show that variant to everybody, under the same gates as an edit by hand.',
      params: Params,
      headers: IfMatch,
      body: DecisionBody,
      out: ExperimentOut,
      refuses: [
        'EXPERIMENT_CONTENT_CHANGED',
        'VERSION_CHANGED',
        'CAMPAIGN_NOT_EDITABLE',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'WEB_ADDRESS_NEEDED',
        'MAIL_NOT_READY',
        'PUSH_TOO_LARGE',
      ],
    }),
    async (request) => {
      const by = actorOf(request)
      const { id } = request.params
      await readExperiment(ctx, by.workspaceId, id)
      const { variant, note = '', apply = false } = bodyOf(request, DecisionBody)
      const { mayApprove } = memberCaller(request)
      await decideExperiment(ctx, by, id, { variant, note, isApplied: apply, expectedVersion: expectedVersion(request), mayApprove })
      return ok(await readExperiment(ctx, by.workspaceId, id))
    },
  )
}

async function readExperiment(ctx: Context, workspaceId: string, id: string) {
  const found = (await findExperiment(ctx.db, workspaceId, id)) ?? (await plannedExperiment(ctx.db, workspaceId, id, ctx.clock.now()))
  return presentExperiment(ctx, workspaceId, found ?? failWith(404, 'experiment not found'))
}
