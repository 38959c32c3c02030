import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { readPreferencePage } from '@contentflow/core/identity/consent/preference-page.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Type } from '../../http/schema.ts'
import { ChangeBody, PageSchema, presentTopic, TopicBody, TopicSchema } from './present.ts'
import { findPreferencePage, listTopics, savePreferencePage } from './queries-topics.ts'
import { changeTopic, createTopic, removeTopic, requireTopic } from './topics.ts'

const Params = Type.Object({ id: Type.String() })
/** What people decide about among messages, one by one. */
function topicRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Consent')
  const path = '/message-topics'
  app.get(
    path,
    route({
      id: 'listTopics',
      auth: 'member',
      permission: 'messages:read',
      summary: 'Topics of messages, in the order in which people see them',
      out: Ok(Type.Object({ topics: Type.Array(TopicSchema) })),
    }),
    async (request) => ok({ topics: (await listTopics(ctx.db, memberCaller(request).workspaceId)).map(presentTopic) }),
  )
  app.post(
    path,
    route({
      id: 'createTopic',
      auth: 'member',
      permission: 'messages:manage',
      summary: 'Make a topic',
      body: TopicBody,
      out: { 201: Ok(TopicSchema) },
      refuses: ['TOPIC_EXISTS', 'TOPIC_LIMIT'],
    }),
    async (request, reply) =>
      reply.code(201).send(ok(presentTopic(await createTopic(ctx, actorOf(request), objectBody(request) as JsonObject)))),
  )
  app.put(
    `${path}/:id`,
    route({
      id: 'updateTopic',
      auth: 'member',
      permission: 'messages:manage',
      summary: 'Say of a topic what it is from now on',
      params: Params,
      body: ChangeBody,
      out: Ok(TopicSchema),
      refuses: ['TOPIC_LIMIT'],
    }),
    async (request) => {
      await requireTopic(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return ok(presentTopic(await changeTopic(ctx, actorOf(request), request.params.id, objectBody(request) as JsonObject)))
    },
  )
  app.delete(
    `${path}/:id`,
    route({
      id: 'deleteTopic',
      auth: 'member',
      permission: 'messages:manage',
      summary: 'Archive a topic: no message may name it any more; what people answered stays',
      params: Params,
      out: Deleted,
      refuses: ['TOPIC_LIMIT'],
    }),
    async (request) => {
      await removeTopic(ctx, actorOf(request), request.params.id)
      return ok({ deleted: true as const })
    },
  )
}

/** The page on which people choose. */
function pageRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/preference-page'
  app.get(
    path,
    route({
      id: 'getPreferencePage',
      auth: 'member',
      permission: 'messages:read',
      summary: 'When mails link the page of preferences, and which law counts the days of what people ask there',
      out: Ok(PageSchema),
    }),
    async (request) => ok(await findPreferencePage(ctx.db, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'setPreferencePage',
      auth: 'member',
      permission: 'messages:manage',
      summary: 'Say when mails link the page of preferences, and which law counts',
      body: PageSchema,
      out: Ok(PageSchema),
    }),
    async (request) => {
      const read = readPreferencePage(bodyOf(request))
      if (!read.ok) failWith(400, `The body ${read.error}`)
      await ctx.change(actorOf(request), async ({ tx, workspaceId, audited }) => {
        audited('setting', 'preference-page', await findPreferencePage(tx, workspaceId), read.value)
        await savePreferencePage(tx, workspaceId, read.value)
      })
      return ok(read.value)
    },
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    topicRoutes(app, ctx)
    pageRoutes(app, ctx)
  },
}
