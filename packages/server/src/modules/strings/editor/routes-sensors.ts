import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { memberCaller } from '../../../http/auth.ts'
import { ok, page } from '../../../http/envelope.ts'
import type { Routes } from '../../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { SensorBody, SensorRequestSchema, SensorSchema, SensorWaitsSchema } from '../present.ts'
import * as queries from './queries-sensors.ts'
import { approveSensor, dropSensorRequest, setSensor } from './sensors.ts'

const Params = Type.Object({ key: Type.String() })
export const Approval = Type.Object({ required: Type.Boolean() })
const tags = ['Strings']

/** Which strings are sensors, and who decides it (G-39). */
export function sensorRoutes(app: Routes, ctx: Context): void {
  const path = '/strings/:key/sensor'
  app.put(
    path,
    {
      config: { auth: 'member', role: 'editor' },
      schema: {
        tags,
        summary: 'Turn the sensor of a string on or off; turning it on may wait for approval (202)',
        params: Params,
        body: SensorBody,
        response: { 200: Ok(SensorSchema), 202: Ok(SensorWaitsSchema) },
      },
    },
    async (request, reply) => {
      const state = await setSensor(ctx, memberCaller(request), keyOf(request), () => bodyOf(request).enabled)
      return reply.code(state.requestId === undefined ? 200 : 202).send(ok(state))
    },
  )
  app.post(
    `${path}/approve`,
    {
      config: { auth: 'member', role: 'approver' },
      schema: { tags, summary: 'Approve a sensor that another member asked for', params: Params, response: { 200: Ok(SensorSchema) } },
    },
    async (request) => ok(await approveSensor(ctx, memberCaller(request), keyOf(request))),
  )
  app.delete(
    `${path}/request`,
    {
      config: { auth: 'member' },
      schema: { tags, summary: 'Withdraw or refuse a sensor that waits for approval', params: Params, response: { 200: Deleted } },
    },
    async (request) => {
      await dropSensorRequest(ctx, memberCaller(request), keyOf(request))
      return ok({ deleted: true as const })
    },
  )
  app.get(
    '/strings/sensor-requests',
    {
      config: { auth: 'member' },
      schema: {
        tags,
        summary: 'Sensors that wait for approval, oldest first',
        querystring: PageQuery,
        response: { 200: Page('requests', SensorRequestSchema) },
      },
    },
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await queries.pageSensorRequests(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit })
      return page('requests', found)
    },
  )
  approvalRoutes(app, ctx)
}

function approvalRoutes(app: Routes, ctx: Context): void {
  const path = '/settings/sensor-approval'
  app.get(
    path,
    {
      config: { auth: 'member' },
      schema: { tags, summary: 'Whether turning a sensor on needs approval', response: { 200: Ok(Approval) } },
    },
    async (request) => ok({ required: await queries.needsSensorApproval(ctx.db, memberCaller(request).workspaceId) }),
  )
  app.put(
    path,
    {
      config: { auth: 'member', role: 'admin' },
      schema: {
        tags,
        summary: 'Let turning a sensor on need approval, or not',
        description: 'Members with approval rights turn sensors on at once. What waits already goes on waiting.',
        body: Approval,
        response: { 200: Ok(Approval) },
      },
    },
    async (request) => {
      const { required } = bodyOf(request)
      await queries.setSensorApproval(ctx.db, memberCaller(request).workspaceId, required, ctx.clock.now())
      return ok({ required })
    },
  )
}

function keyOf(request: FastifyRequest<{ Params: { key: string } }>): string {
  return request.params.key
}
