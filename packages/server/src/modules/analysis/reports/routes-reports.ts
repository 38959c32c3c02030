import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { expectedVersion, IfMatch } from '../../../http/if-match.ts'
import { pathOf } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Deleted, EnvironmentAsked, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { shortPage } from '../../../http/short-list.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { toCsv } from '../csv.ts'
import { CsvOnly, ReportBody, ReportChange, ReportSchema, ResultSchema } from '../present.ts'
import { answer, readAsked, type Answered } from '../questions/ask.ts'
import { findReport, listReports, type Report } from './queries-reports.ts'
import { changeReport, createReport, deleteReport } from './reports.ts'

const route = routeIn('Analysis')
const Params = pathOf({ id: 'The id of the report' })
const Query = Type.Object({ environment: EnvironmentAsked })
const REFUSES = ['ANALYSIS_BUSY', 'ANALYSIS_TOO_LARGE', 'ROLE_REQUIRED'] as const

/** Questions that are kept. */
export function reportRoutes(app: Routes, ctx: Context): void {
  readingRoutes(app, ctx)
  writingRoutes(app, ctx)
  app.get(
    '/reports/:id/result',
    route({
      id: 'getReportResult',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'The answer to a saved question, as of now',
      description:
        'Asks the saved question now and answers as its kind does. A question about a segment by imported or industry data takes the permission people:enrichment.',
      params: Params,
      query: Query,
      out: Ok(ResultSchema),
      refuses: REFUSES,
    }),
    async (request, reply) => reply.send(ok(await resultOf(ctx, request, queryOf(request).environment))),
  )
  app.get(
    '/reports/:id/result.csv',
    route({
      id: 'getReportFile',
      auth: 'member',
      permission: 'analytics:export',
      summary: 'The same as a file for spreadsheets',
      description:
        'Asks the saved question now and answers a CSV file. A question about a segment by imported or industry data takes the permission people:enrichment.',
      sends: ['Content-Disposition'],
      params: Params,
      query: Query,
      out: CsvOnly,
      refuses: REFUSES,
    }),
    async (request, reply) => {
      const file = toCsv(await resultOf(ctx, request, queryOf(request).environment))
      return reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="report.csv"').send(file)
    },
  )
}

function readingRoutes(app: Routes, ctx: Context): void {
  app.get(
    '/reports',
    route({
      id: 'listReports',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'Saved questions, by name',
      description: 'Lists the questions that members saved, with who made each and whether it is on the start page.',
      query: PageQuery,
      out: Page('reports', ReportSchema),
    }),
    async (request) => {
      const all = await listReports(ctx.db, memberCaller(request).workspaceId)
      return page(
        'reports',
        shortPage(all, queryOf(request), ({ id }) => id),
        present,
      )
    },
  )
  app.get(
    '/reports/:id',
    route({
      id: 'getReport',
      auth: 'member',
      permission: 'analytics:read',
      summary: 'One of them; the ETag is its version',
      description: 'Answers one saved question with its definition. Send the ETag as If-Match with the next change.',
      sends: ['ETag'],
      params: Params,
      out: Ok(ReportSchema),
    }),
    async (request, reply) => send(reply, await existing(ctx, request)),
  )
}

function writingRoutes(app: Routes, ctx: Context): void {
  app.post(
    '/reports',
    route({
      id: 'createReport',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Keep a question',
      description: 'Saves a question of one of the kinds explore, funnel or retention under a name. `isPinned` puts it on the start page.',
      sends: ['ETag'],
      body: ReportBody,
      out: { 201: Ok(ReportSchema) },
      refuses: ['REPORT_LIMIT', 'REPORT_NAME_TAKEN', 'REPORT_PINS'],
    }),
    async (request, reply) => {
      const report = await createReport(ctx, actorOf(request), bodyOf(request))
      return reply
        .code(201)
        .header('etag', `"${report.version}"`)
        .send(ok(present(report)))
    },
  )
  app.put(
    '/reports/:id',
    route({
      id: 'changeReport',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Change it; members left out stay',
      description:
        'Changes name, definition or place on the start page; a name that another report has is REPORT_NAME_TAKEN. With If-Match, a change that somebody made meanwhile is 412.',
      sends: ['ETag'],
      params: Params,
      headers: IfMatch,
      body: ReportChange,
      out: Ok(ReportSchema),
      refuses: ['REPORT_NAME_TAKEN', 'REPORT_PINS', 'VERSION_CHANGED'],
    }),
    async (request, reply) => {
      const { id } = await existing(ctx, request)
      return send(reply, await changeReport(ctx, actorOf(request), id, bodyOf(request), expectedVersion(request)))
    },
  )
  app.delete(
    '/reports/:id',
    route({
      id: 'deleteReport',
      auth: 'member',
      permission: 'analytics:write',
      summary: 'Delete it',
      description: 'Deletes a saved question; the events it asks about stay. With If-Match, a change that somebody made meanwhile is 412.',
      params: Params,
      headers: IfMatch,
      out: Deleted,
      refuses: ['VERSION_CHANGED'],
    }),
    async (request) => {
      await deleteReport(ctx, actorOf(request), request.params.id, expectedVersion(request))
      return ok({ deleted: true as const })
    },
  )
}

type OfReport = FastifyRequest & { params: { id: string } }

async function existing(ctx: Context, request: OfReport): Promise<Report> {
  return (await findReport(ctx.db, memberCaller(request).workspaceId, request.params.id)) ?? failWith(404, 'report not found')
}

async function resultOf(ctx: Context, request: OfReport, environment: Environment | undefined): Promise<Answered> {
  const { kind, definition } = await existing(ctx, request)
  const caller = memberCaller(request)
  return answer(ctx, { caller, environment }, await readAsked(ctx, caller.workspaceId, kind, definition))
}

function send(reply: FastifyReply, report: Report): FastifyReply {
  return reply.header('etag', `"${report.version}"`).send(ok(present(report)))
}

function present({ pinnedAt, ...report }: Report) {
  return { ...report, isPinned: pinnedAt !== null }
}
