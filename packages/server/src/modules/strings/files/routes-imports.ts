import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { BODY_BYTES } from '../../../http/bodies/body-bytes.ts'
import { sentBody } from '../../../http/bodies/body.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Nullable, Ok, Page, PageQuery, queryOf, ReplacedTexts, Time, Type } from '../../../http/schema.ts'
import { exportCsv } from './export-csv.ts'
import { applyImport, cancelImport, createImport, previewImport } from './import-strings.ts'
import * as queries from './queries-imports.ts'
import type { StringsImport } from './queries-imports.ts'
import { translatedLocales } from '../locales.ts'
import { WarningSchema } from '../present.ts'

const ImportBody = Type.Object(
  {
    csv: Type.String({ maxLength: LIMITS.importBytes, description: 'The text of the file' }),
    fileName: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { examples: [{ csv: 'key,sourceText,ar\nhome.title,Welcome,أهلا\n', fileName: 'home.csv' }] },
)
/** Sent as it is made. */
const CsvFile = Type.Unsafe<Readable>(Type.String())
const Reason = Type.Enum(['missing_key', 'too_many_cells', 'limit_exceeded', 'missing_source_text'])
export const ImportSchema = Type.Object({
  importId: Type.String(),
  status: Type.Enum(['pending', 'applied', 'cancelled', 'lapsed']),
  fileName: Nullable(Type.String()),
  summary: Type.Object(
    {
      rows: Type.Integer(),
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      overridden: Type.Integer({ description: 'Rows that a later row with the same key takes the place of' }),
      translationsWritten: Type.Integer({ description: 'Those that are stored for review included' }),
      rejectedCount: Type.Integer(),
      rejected: Type.Array(Type.Object({ line: Type.Integer(), key: Type.String(), reason: Reason, message: Type.String() }), {
        description: 'At most the first 1000',
      }),
      skippedLocales: Type.Array(Type.String(), { description: 'Columns that are no locale of the workspace' }),
      mismatchCount: Type.Optional(
        Type.Integer({ description: 'Translations stored for review because their placeholders are not those of the source text' }),
      ),
      mismatches: Type.Optional(
        Type.Array(Type.Object({ line: Type.Integer(), key: Type.String(), locale: Type.String(), warnings: Type.Array(WarningSchema) }), {
          description: 'At most the first 1000 of these',
        }),
      ),
      replacedTexts: ReplacedTexts,
    },
    { description: 'What it would do; of an applied one what it did' },
  ),
  createdBy: Type.String({ description: 'The user id of a member' }),
  createdAt: Time,
  expiresAt: Time,
  finishedAt: Nullable(Time),
})
export const EffectSchema = Type.Object({
  line: Type.Integer(),
  key: Type.String(),
  outcome: Type.Enum(['created', 'updated', 'unchanged', 'rejected', 'overridden']),
  reason: Nullable(Reason),
  message: Nullable(Type.String()),
  sendsToReview: Type.Boolean({ description: 'The source text is another one, so translations go to review' }),
  translations: Type.Array(
    Type.Object({
      locale: Type.String(),
      text: Type.String(),
      status: Type.Enum(['ok', 'review']),
      warnings: Type.Optional(Type.Array(WarningSchema, { description: 'Why it waits for review: applications would show it wrong' })),
    }),
  ),
})
const ImportDetailSchema = Type.Object({
  ...Ok(Type.Object({ ...ImportSchema.properties, rows: Type.Array(EffectSchema) })).properties,
  metadata: Page('rows', Type.Object({})).properties.metadata,
})

const Params = pathOf({ id: 'The id of the import' })
const ExportQuery = Type.Object({
  locale: Type.Optional(Type.String({ description: 'Only the column of this locale beside the source text' })),
  namespace: Type.Optional(Type.String({ description: 'Only its strings' })),
  status: Type.Enum(['ok', 'all'], {
    default: 'ok',
    description: 'Which translations: approved ones, or those in review too. An import takes all of them for approved.',
  }),
})
const route = routeIn('Strings')

/** Catalogs as files (G-40). */
export function stringImportRoutes(app: Routes, ctx: Context): void {
  exportRoute(app, ctx)
  readingRoutes(app, ctx)
  writingRoutes(app, ctx)
}

function exportRoute(app: Routes, ctx: Context): void {
  app.get(
    '/strings/export',
    route({
      id: 'exportStrings',
      auth: 'member',
      permission: 'strings:export',
      sends: ['Content-Disposition'],
      summary: 'The catalog as a CSV file',
      description:
        'Columns `key`, `namespace`, `description`, `sourceText` and one per locale; UTF-8, commas, CRLF. An import of the file gives the ' +
        'same texts. Texts are written exactly as they are, also those that begin like a formula (`=`, `+`, `-`, `@`): ' +
        'open the file in a spreadsheet as text.',
      query: ExportQuery,
      out: { description: 'The file', content: { 'text/csv': { schema: CsvFile } } },
    }),
    async (request, reply) => {
      const { workspaceId } = memberCaller(request)
      const { locale, namespace, status } = queryOf(request)
      const locales = await translatedLocales(ctx, workspaceId, locale)
      const file = exportCsv(ctx, workspaceId, { locales, namespace, isWithReview: status === 'all' })
      const name = locale === undefined ? 'strings.csv' : `strings-${locales[0] ?? 'source'}.csv`
      return reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(Readable.from(file))
    },
  )
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/strings/imports',
    route({
      id: 'listStringImports',
      auth: 'member',
      permission: 'strings:read',
      summary: 'List imports, newest first',
      description: 'Lists the CSV files that were taken in, with what each would do or did.',
      query: PageQuery,
      out: Page('imports', ImportSchema),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { limit, cursor } = queryOf(request)
      const found = await queries.pageImports(ctx.db, workspaceId, { after: cursor, limit }, ctx.clock.now())
      return page('imports', found, presentImport)
    },
  )
  app.get(
    '/strings/imports/:id',
    route({
      id: 'getStringImport',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Read an import; of a pending one also what each row would do now',
      description:
        'Answers one import with its summary. Of a pending one each row is compared with the texts as they are now, and what it would do is listed.',
      params: Params,
      query: PageQuery,
      out: ImportDetailSchema,
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const found = await queries.getImport(ctx.db, workspaceId, idOf(request), ctx.clock.now())
      const { limit, cursor } = queryOf(request)
      const { rows, next, total } = await previewImport(ctx, workspaceId, found, { after: cursor, limit })
      return ok({ ...presentImport(found), rows }, { total, nextCursor: next })
    },
  )
}

function writingRoutes(app: Routes, ctx: Context): void {
  const shapes = { params: Params, out: Ok(ImportSchema) }
  app.post(
    '/strings/imports',
    route({
      id: 'createStringImport',
      auth: 'member',
      permission: 'strings:write',
      takesCsv: true,
      summary: 'Take in a CSV file and say what it would do; nothing is written yet',
      description:
        `Up to ${LIMITS.stringsImportRows} rows and ${LIMITS.importBytes} bytes, as a body of type \`text/csv\` or in JSON. A header row names the columns: ` +
        '`key`, `namespace`, `description`, `sourceText` or the source locale, and one per locale. Commas, semicolons or tabs; quotes around ' +
        'cells that hold separators, quotes or line ends. Blank cells change nothing. One import of a workspace can be pending; it lapses ' +
        `after ${LIMITS.importHours} hours.`,
      body: ImportBody,
      out: { 201: Ok(ImportSchema) },
      bodyLimit: BODY_BYTES.import,
      refuses: ['IMPORT_ALREADY_PENDING'],
    }),
    async (request, reply) => {
      return reply.code(201).send(ok(presentImport(await createImport(ctx, actorOf(request), sentBody(request)))))
    },
  )
  app.post(
    '/strings/imports/:id/apply',
    route({
      id: 'applyStringImport',
      auth: 'member',
      permission: 'strings:publish',
      summary: 'Write a pending import, planned anew: all of it or nothing',
      description:
        'The rules are those of POST /strings/sync, except that a translation whose placeholders are not those of its source text ' +
        'is stored for review. The summary says what was really done.',
      ...shapes,
      refuses: ['IMPORT_OVER', 'STRING_LIMIT', 'WORKSPACE_FULL', 'APPROVAL_NEEDED'],
    }),
    async (request) => ok(presentImport(await applyImport(ctx, actorOf(request), idOf(request)))),
  )
  app.delete(
    '/strings/imports/:id',
    route({
      id: 'cancelStringImport',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Cancel a pending import',
      description: 'Ends a pending import without writing anything, so that another file can be taken in.',
      ...shapes,
      refuses: ['IMPORT_OVER'],
    }),
    async (request) => ok(presentImport(await cancelImport(ctx, actorOf(request), idOf(request)))),
  )
}

function idOf(request: FastifyRequest<{ Params: { id: string } }>): string {
  return request.params.id
}

function presentImport({ id, ...shown }: StringsImport) {
  return { importId: id, ...shown }
}
