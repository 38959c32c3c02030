import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { ok, page } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { bodyOf, Empty, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../http/schema.ts'
import { endWorkspace, restoreWorkspace } from './end-workspace.ts'
import { getEnding, pageEndings, type Ending } from './queries-endings.ts'

const Params = Type.Object({ id: Type.String({ description: 'The workspace of X-Tenant-Id' }) })
const EndBody = Type.Object({ name: Type.String({ maxLength: 200, description: 'The name of the workspace, typed' }) })
const EndingSchema = Type.Object({
  workspaceId: Type.String(),
  name: Type.String(),
  sandboxId: Nullable(Type.String()),
  askedBy: Type.String({ description: 'The account of the admin' }),
  askedAt: Time,
  endsAt: Time,
  finishedAt: Nullable(Time),
  deletedRows: Type.Integer(),
  deletedFiles: Type.Integer(),
})

function present(row: Ending) {
  return {
    workspaceId: row.workspace_id,
    name: row.name,
    sandboxId: row.sandbox_id,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    endsAt: row.ends_at,
    finishedAt: row.finished_at,
    deletedRows: row.deleted_rows,
    deletedFiles: row.deleted_files,
  }
}

/** Admins end their workspace, and take that back. */
function adminRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const admin = { auth: 'member', permission: 'workspace:delete', staysOpen: true, params: Params } as const
  app.delete(
    '/workspaces/:id',
    route({
      id: 'endWorkspace',
      ...admin,
      summary: 'Delete the workspace with everything in it, in 14 days; at once its keys open nothing and nothing is sent',
      description:
        'Takes a session that is younger than 10 minutes, and the name of the workspace in the body. Until its day POST /workspaces/{id}/restore brings it back as it was.',
      body: EndBody,
      out: { 202: Ok(Type.Object({ endsAt: Time })) },
      refuses: ['REAUTHENTICATE'],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      requireOwn(caller.workspaceId, request.params.id)
      return reply.code(202).send(ok(await endWorkspace(ctx, caller, bodyOf(request).name)))
    },
  )
  app.post(
    '/workspaces/:id/restore',
    route({
      id: 'restoreWorkspace',
      ...admin,
      summary: 'Keep the workspace after all',
      description: 'Takes the deletion back within its 14 days. Keys work again, and what was due goes on.',
      body: Empty,
      out: Ok(Type.Object({ restored: Type.Literal(true) })),
    }),
    async (request) => {
      const caller = memberCaller(request)
      requireOwn(caller.workspaceId, request.params.id)
      await restoreWorkspace(ctx, caller)
      return ok({ restored: true as const })
    },
  )
}

function requireOwn(workspaceId: string, id: string): void {
  if (workspaceId !== id) failWith(404, 'workspace not found')
}

/** What the operator shows whoever asks whether it is gone. */
function receiptRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Operator')
  app.get(
    '/operator/workspace-endings',
    route({
      id: 'listWorkspaceEndings',
      auth: 'operator',
      summary: 'Workspaces that end, and receipts of those that did, newest first',
      description: 'Lists workspaces that admins delete or deleted, with who asked, when, and how much was deleted.',
      query: PageQuery,
      out: Page('endings', EndingSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      return page('endings', await pageEndings(ctx.db, { before: cursor, limit }), present)
    },
  )
  app.get(
    '/operator/workspace-endings/:id',
    route({
      id: 'getWorkspaceEnding',
      auth: 'operator',
      summary: 'The receipt of a workspace that ends or did',
      description: 'Answers one receipt: the workspace, who asked, when it ends or ended, and how many rows and files went.',
      params: pathOf({ id: 'The id of the workspace' }),
      out: Ok(EndingSchema),
    }),
    async (request) => ok(present(await getEnding(ctx.db, request.params.id))),
  )
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  management: (app, { ctx }) => {
    adminRoutes(app, ctx)
    receiptRoutes(app, ctx)
  },
}
