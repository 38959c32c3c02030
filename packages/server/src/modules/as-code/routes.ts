import { Readable } from 'node:stream'
import { BOUND_KINDS, CODE_KINDS, type CodeKind, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, queryOf, Shaped, Type } from '../../http/schema.ts'
import { applyWorkspace } from './apply-workspace.ts'
import { planWorkspace } from './plan-workspace.ts'
import { exportWorkspace } from './read-workspace.ts'
import { writeCode } from './write-code.ts'

const Things = Type.Array(Type.Object({}, { additionalProperties: true }))
const Settings = Type.Object({}, { additionalProperties: true })
const DocumentSchema = Shaped<Partial<WorkspaceCode>>(
  Type.Object(Object.fromEntries(CODE_KINDS.map((kind) => [kind, Type.Optional(kind === 'settings' ? Settings : Things)]))),
)
/** As it is written. */
const Exported = Type.Unsafe<Readable>(Ok(DocumentSchema))
const Document = Type.Unknown({
  description: `${CODE_KINDS.join(', ')}: each is declared completely where it is named, and stays as it is where it is not; of settings each is by itself, and of ${BOUND_KINDS.join(' and ')} what is left out stays but for \`prune\``,
  examples: [{ geofences: [{ id: 'home', name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }] }],
})
const OnlyQuery = Type.Object({
  only: Type.Optional(
    Type.String({ description: 'Kinds, with commas between them; all of them when left out', examples: ['segments,strings'] }),
  ),
})
const Prune = Type.Optional(
  Type.Array(Type.Enum([...BOUND_KINDS]), { description: 'Kinds of which what the document leaves out is deleted too, with its secrets' }),
)
const PlanBody = Type.Object({ document: Document, prune: Prune })
const ApplyBody = Type.Object({
  document: Document,
  prune: Prune,
  version: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the plan that somebody looked at' }),
})
const named = {
  kind: Type.Enum([...CODE_KINDS]),
  key: Type.String({
    description: 'Key of a block type or text, code of a language, name of a segment, a report, a type of events or a setting, else the id',
  }),
}
const change = {
  ...named,
  change: Type.Enum(['create', 'change', 'delete']),
  members: Type.Array(Type.String(), { description: 'What differs of one that is there' }),
}
const Names = Type.Array(Type.String())
const PlanSchema = Type.Object({
  version: Type.String(),
  changes: Type.Array(
    Type.Object({
      ...change,
      reach: Type.Object({
        people: Nullable(
          Type.Object({ gaining: Type.Integer(), losing: Type.Integer() }, { description: 'Of a segment, as far as it is known before' }),
        ),
        instances: Type.Integer({ description: 'Published instances of the type, or instances for the segment' }),
        campaigns: Names,
        journeys: Names,
        segments: Type.Array(Type.String(), { description: 'Segments that leave this one out' }),
        strings: Type.Integer({ description: 'Texts that go with a language' }),
      }),
      asks: Type.Boolean({ description: 'It stays a draft, or what it is, until a second person agrees' }),
      off: Type.Boolean({
        description:
          'Made switched off: a webhook until its secret is rotated and taken along, a channel until its secrets are entered; then it can be switched on',
      }),
      refused: Nullable(
        Type.Enum(['JOURNEY_ACTIVE', 'JOURNEY_INCOMPLETE', 'CAMPAIGN_NOT_EDITABLE', 'EXPERIMENT_STARTED'], {
          description: 'With this code the whole plan would be refused',
        }),
      ),
    }),
  ),
  kept: Type.Array(Type.Object(named), {
    description:
      'What the document leaves out and stays: webhooks and channels but for `prune`, journeys, campaigns and experiments that have begun',
  }),
})
const AppliedSchema = Type.Object({ changes: Type.Array(Type.Object(change)) })

/** A workspace as one document: read, compared, and made what the document says. */
function codeRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Workspace as code')
  app.get(
    '/workspace/code',
    route({
      id: 'getWorkspaceCode',
      auth: 'member',
      permission: 'code:read',
      readsAll: true,
      summary: 'The workspace as one document, in a fixed order: no keys, no members, no secrets',
      description:
        'Answers settings, languages, texts, block types, content, segments, topics, journeys, campaigns, webhooks and channels as one document, always in the same order, so that two exports can be compared line by line. `only` narrows it.',
      query: OnlyQuery,
      out: Exported,
    }),
    async (request, reply) => {
      const { workspaceId } = memberCaller(request)
      const kinds = kindsOf(queryOf(request).only)
      const code = await exportWorkspace(ctx.db, workspaceId, kinds)
      return reply.type('application/json; charset=utf-8').send(Readable.from(writeCode(code)))
    },
  )
  app.post(
    '/workspace/code/plan',
    route({
      id: 'planWorkspace',
      auth: 'member',
      permission: 'code:write',
      readsAll: true,
      isRead: true,
      summary: 'What a document would change, and for whom; nothing is stored',
      description:
        'Compares the document with the workspace and answers each difference, whom it would reach, whether it would wait for a second person or be refused, and the `version` that applying it takes.',
      body: PlanBody,
      out: Ok(PlanSchema),
      bodyLimit: BODY_BYTES.content,
    }),
    async (request) => ok(await planWorkspace(ctx, memberCaller(request).workspaceId, bodyOf(request))),
  )
  app.post(
    '/workspace/code/apply',
    route({
      id: 'applyWorkspace',
      auth: 'member',
      permission: 'code:manage',
      readsAll: true,
      summary: 'Do exactly what was planned, or nothing',
      description:
        'Carries out the plan with this `version` in one transaction. If the workspace was changed since, it is refused with WORKSPACE_CHANGED. What goes live is asked for as by hand; journeys stay drafts and campaigns wait for their review.',
      body: ApplyBody,
      out: Ok(AppliedSchema),
      bodyLimit: BODY_BYTES.content,
      refuses: [
        'LINK_SCHEME_NOT_ALLOWED',
        'WORKSPACE_CHANGED',
        'CAMPAIGN_LIMIT',
        'CAMPAIGN_NOT_EDITABLE',
        'CHANNEL_LIMIT',
        'EXPERIMENT_STARTED',
        'IN_USE',
        'JOURNEY_ACTIVE',
        'JOURNEY_INCOMPLETE',
        'JOURNEY_LIMIT',
        'REPORT_LIMIT',
        'STRING_LIMIT',
        'TRACKERS_EXCEEDED',
        'TEST_ENV_RETIRED',
        'WEBHOOK_LIMIT',
        'WORKSPACE_FULL',
        'ADDRESS_NOT_PROVED',
        'ANSWER_TOO_LONG',
        'WEB_ADDRESS_NEEDED',
        'MAIL_NOT_READY',
        'PUSH_TOO_LARGE',
        'WEBHOOK_IN_USE',
      ],
    }),
    async (request) => {
      const { version, ...wish } = bodyOf(request)
      return ok({ changes: await applyWorkspace(ctx, actorOf(request), wish, version) })
    },
  )
}

function kindsOf(only: string | undefined): readonly CodeKind[] {
  if (only === undefined) return CODE_KINDS
  return only
    .split(',')
    .map((word) => CODE_KINDS.find((kind) => kind === word.trim()) ?? failWith(400, `only takes ${CODE_KINDS.join(', ')}`))
}

export const routes: ModuleRoutes<{ ctx: Context }> = { management: (app, { ctx }) => codeRoutes(app, ctx) }
