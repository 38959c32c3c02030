import { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { memberCaller, requirePermission } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { UserParams } from '../../../http/path-ids.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { EnvironmentAsked, EnvironmentName, Nullable, Ok, Page, PageQuery, queryOf, Time, Type } from '../../../http/schema.ts'
import { findOwnEnvironment, findPerson } from '../../people/index.ts'
import { subjectNamed } from '../subject-named.ts'
import { exportPerson } from './export-person.ts'
import { getExport, pageExports, type ExportRow } from './queries-export.ts'

const route = routeIn('People')
/** Sent as it is made. */
const ZipOfPerson = Type.Unsafe<Readable>(Type.String())

export const PersonExportSchema = Type.Object({
  id: Type.String(),
  environment: EnvironmentName,
  madeBy: Type.String({ description: 'The account of the admin' }),
  madeAt: Time,
  finishedAt: Nullable(Time),
  parts: Type.Array(Type.Object({ part: Type.String(), rows: Type.Integer() })),
  sha256: Nullable(Type.String({ description: 'Of the whole file' })),
})

function present(row: ExportRow) {
  return {
    id: row.id,
    environment: row.environment,
    madeBy: row.made_by,
    madeAt: row.made_at,
    finishedAt: row.finished_at,
    parts: row.parts,
    sha256: row.sha256,
  }
}

/** The file of a person, and the receipts of such files. */
export function exportRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/users/:userId/export',
    route({
      id: 'exportPerson',
      auth: 'member',
      permission: 'people:export',
      staysOpen: true,
      readsAll: true,
      isRepeatable: true,
      sends: ['Content-Disposition'],
      summary: 'Everything that is known of a person, as one ZIP',
      description:
        '`person.json`, a JSON and a CSV of each part of which there is something, and `manifest.json` with the count of each part. It is ' +
        'written while it is sent and kept nowhere; what stays is a receipt (GET /person-exports), whose id is in the name of the file. ' +
        'Texts of the CSV that a spreadsheet would take for a formula begin with an apostrophe.',
      params: UserParams,
      query: Type.Object({ environment: EnvironmentAsked }),
      out: { description: 'The file', content: { 'application/zip': { schema: ZipOfPerson } } },
    }),
    async (request, reply) => {
      const { workspaceId, accountId } = memberCaller(request)
      // The file is not masked.
      requirePermission(memberCaller(request), 'people:contacts')
      const { environment = await findOwnEnvironment(ctx.db, workspaceId) } = queryOf(request)
      const profile = (await findPerson(ctx.db, workspaceId, environment, request.params.userId)) ?? failWith(404, 'person not found')
      const { id, file } = await exportPerson(ctx, accountId, profile)
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="person-${id}.zip"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(file))
    },
  )
  app.get(
    '/person-exports',
    route({
      id: 'listPersonExports',
      auth: 'member',
      permission: 'people:read',
      summary: 'Receipts of files of people, newest first',
      description: 'Lists who made a file of which parts when; the files themselves are kept nowhere. `userId` finds those of one person.',
      query: Type.Object({
        ...PageQuery.properties,
        userId: Type.Optional(Type.String({ description: 'A user id, or the device id of an anonymous person; left out: everybody' })),
      }),
      out: Page('exports', PersonExportSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor, userId } = queryOf(request)
      const environment = await findOwnEnvironment(ctx.db, workspaceId)
      const subject = userId === undefined ? undefined : await subjectNamed(ctx.db, { workspaceId, environment }, userId)
      return page('exports', await pageExports(ctx.db, workspaceId, { subject, before: cursor, limit }), present)
    },
  )
  app.get(
    '/person-exports/:id',
    route({
      id: 'getPersonExport',
      auth: 'member',
      permission: 'people:read',
      summary: 'The receipt of the file of a person: its parts, how much of each, and its SHA-256',
      description: 'Answers one receipt, whose SHA-256 proves which file was handed over.',
      params: pathOf({ id: 'The id of the export' }),
      out: Ok(PersonExportSchema),
    }),
    async (request) => ok(present(await getExport(ctx.db, memberCaller(request).workspaceId, request.params.id))),
  )
}
