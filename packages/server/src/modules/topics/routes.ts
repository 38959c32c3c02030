import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { readPreferencePage } from '@contentflow/core/identity/consent/preference-page.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok } from '../../http/answers/envelope.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Type } from '../../http/schema.ts'
import { ChangeBody, PageSchema, presentTopic, TopicBody, TopicSchema } from './present.ts'
import { findPreferencePage, listTopics, savePreferencePage } from './queries-topics.ts'
import { changeTopic, createTopic, removeTopic, requireTopic } from './topics.ts'

const Params = pathOf({ id: 'The id of the topic' })
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
      description: 'Lists the topics that messages may name, each with its names and descriptions by language. Archived ones are left out.',
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
      description:
        'Adds a topic that people accept or refuse by channel, and that messages may name from then on. You choose its `id`, which stays. The id of an archived topic may be used again; the earlier answers to it count again then.',
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
      description: 'Changes what the topic says of itself; members left out stay. What people answered to it stays too.',
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
      description:
        'No new message may name the topic afterwards and people are no longer asked about it. Their earlier answers stay in the consent ledger.',
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
      description: 'Answers the setting of the page behind the preferences link in mails.',
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
      description:
        'Says when mails carry a link to the page on which people choose what they get, and which law counts the days for requests about data that they make there. It replaces the whole setting and is written to the audit log.',
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
