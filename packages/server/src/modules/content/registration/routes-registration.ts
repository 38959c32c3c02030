import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { objectBody, sentBody } from '../../../http/bodies/body.ts'
import { replacedTextsOf } from '../../../http/bodies/replaced-texts.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { BLOCK_KEY, pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Deleted, Nullable, Ok, Page, PageQuery, queryOf, ReplacedTexts, Type } from '../../../http/schema.ts'
import { DefinitionBody, DefinitionSchema, ManifestBody, presentDeclared, presentDefinition, RegisterBody } from '../revisions/present.ts'
import * as queries from '../revisions/queries.ts'
import { archiveDefinition, changeDefinition, createDefinition, restoreDefinition } from './definitions.ts'
import { registerBlock } from './register-block.ts'
import { syncManifest } from './sync-manifest.ts'

const BlockParams = pathOf({ key: BLOCK_KEY })
const DefinitionQuery = Type.Object({
  ...PageQuery.properties,
  archived: Type.Boolean({ default: false, description: 'Those that were archived, instead of the others' }),
})
const EntryErrors = Type.Array(Type.Object({ index: Type.Integer(), key: Nullable(Type.String()), error: Type.String() }))
const Registered = Type.Object({
  registered: Type.String(),
  definitionCreated: Type.Boolean(),
  instanceId: Nullable(Type.String()),
  instanceCreated: Type.Boolean(),
})
const Keys = Type.Array(Type.String())
const SyncReport = Type.Object({
  created: Keys,
  updated: Keys,
  unchanged: Keys,
  archived: Keys,
  errors: EntryErrors,
  instances: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
  replacedTexts: ReplacedTexts,
})

/** Block types from build pipelines, by write key; mounted under every root (M-REG, M-SYNC). */
export function registrationRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Build pipeline')
  app.post(
    '/cards/register',
    route({
      id: { client: 'declareBlockType', management: 'registerBlockType' },
      auth: 'write',
      summary: 'Declare one block type',
      description:
        'Creates or updates one block type from a build. A new type comes with a blank draft instance, whose id is answered. What editors filled in stays, with the values of tags that remain.',
      body: RegisterBody,
      out: { 201: Ok(Registered) },
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      return reply.code(201).send(ok(await registerBlock(ctx, actorOf(request), objectBody(request))))
    },
  )
  app.post(
    '/cards/sync',
    route({
      id: { client: 'declareBlockTypes', management: 'syncBlockTypes' },
      auth: 'write',
      summary: 'Declare all block types, with seeded instances; what is not named is archived',
      description:
        'Declares the complete set of block types in one transaction: new ones are made, changed ones updated, and types that are not named are archived. Seeded instances are merged into those of earlier syncs. Entries that are wrong are listed in `errors` and do not stop the others; sending the same manifest again changes nothing.',
      body: ManifestBody,
      out: Ok(SyncReport),
      bodyLimit: BODY_BYTES.content,
      refuses: ['WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => ok({ ...(await syncManifest(ctx, actorOf(request), objectBody(request))), ...replacedTextsOf(request) }),
  )
  app.get(
    '/cards/sync',
    route({
      id: { client: 'exportDeclaredBlockTypes', management: 'exportBlockTypes' },
      auth: 'write',
      summary: 'The block types there are, as a manifest without instances; sent back it changes nothing',
      description: 'Answers the block types that are not archived, in the form that POST /cards/sync takes.',
      out: Ok(Type.Object({ blocks: Type.Array(DefinitionBody) })),
    }),
    async (request) => {
      const found = await queries.listDefinitions(ctx.db, actorOf(request).workspaceId)
      return ok({ blocks: found.filter(({ archivedAt }) => !archivedAt).map(presentDeclared) })
    },
  )
}

/** Block types for the dashboard (G-35). */
export function definitionRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Block types')
  const reads = { auth: 'member', permission: 'types:read' } as const
  app.get(
    '/blocks',
    route({
      id: 'listBlockTypes',
      ...reads,
      summary: 'List block types',
      description: 'Lists the block types of the workspace by key; `archived=true` lists those that were archived instead.',
      query: DefinitionQuery,
      out: Page('blocks', DefinitionSchema),
    }),
    async (request) => {
      const { limit, cursor, archived } = queryOf(request)
      const found = await queries.pageDefinitions(ctx.db, memberCaller(request).workspaceId, {
        isArchived: archived,
        after: cursor,
        limit,
      })
      return page('blocks', found, presentDefinition)
    },
  )
  app.post(
    '/blocks',
    route({
      id: 'createBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Make a block type',
      description: 'Adds a block type with its fields, by hand instead of from a build. 409 when the key is taken.',
      body: DefinitionBody,
      out: { 201: Ok(DefinitionSchema) },
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'ANSWER_TOO_LONG'],
    }),
    async (request, reply) => {
      const definition = readDefinition(objectBody(request))
      return reply.code(201).send(ok(presentDefinition(await createDefinition(ctx, actorOf(request), definition))))
    },
  )
  app.get(
    '/blocks/:key',
    route({
      id: 'getBlockType',
      ...reads,
      summary: 'Read a block type',
      description: 'Answers one block type with its fields, design and defaults. An archived one is 404.',
      params: BlockParams,
      out: Ok(DefinitionSchema),
    }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await queries.getActiveDefinition(ctx.db, memberCaller(request).workspaceId, key)))
    },
  )
  app.put(
    '/blocks/:key',
    route({
      id: 'updateBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Change a block type; members left out stay',
      description:
        'Changes name, screen, design or fields of a block type. Values of fields that are removed are served no more. Where something of the type is live and publishing takes a second person, a member without approval rights is refused with APPROVAL_NEEDED.',
      params: BlockParams,
      body: Type.Partial(DefinitionBody),
      out: Ok(DefinitionSchema),
      bodyLimit: BODY_BYTES.content,
      refuses: ['LINK_SCHEME_NOT_ALLOWED', 'WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await changeDefinition(ctx, actorOf(request), key, sentBody(request))))
    },
  )
  app.delete(
    '/blocks/:key',
    route({
      id: 'archiveBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Archive a block type; its instances are kept',
      description:
        'Takes the type and all its instances off every app. Nothing is deleted; POST /blocks/{key}/restore brings it back. Where something of it is live and publishing takes a second person, this takes approval rights.',
      params: BlockParams,
      out: Deleted,
      refuses: ['APPROVAL_NEEDED'],
    }),
    async (request) => {
      await archiveDefinition(ctx, actorOf(request), request.params.key)
      return ok({ deleted: true as const })
    },
  )
  app.post(
    '/blocks/:key/restore',
    route({
      id: 'restoreBlockType',
      auth: 'member',
      permission: 'types:write',
      summary: 'Bring an archived block type back, with its instances as they were',
      description:
        'Brings the type back with its instances; those that were published are served again at once. Takes approval rights where that would put something live while publishing takes a second person.',
      params: BlockParams,
      out: Ok(DefinitionSchema),
      refuses: ['WORKSPACE_FULL', 'APPROVAL_NEEDED', 'ANSWER_TOO_LONG'],
    }),
    async (request) => {
      const { key } = request.params
      return ok(presentDefinition(await restoreDefinition(ctx, actorOf(request), key)))
    },
  )
}

function readDefinition(body: Record<string, unknown>) {
  const parsed = parseDefinition(body)
  return parsed.ok ? parsed.value : failWith(400, parsed.error)
}
