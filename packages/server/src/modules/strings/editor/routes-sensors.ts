import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import { ok, page } from '../../../http/answers/envelope.ts'
import { pathOf, STRING_KEY } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Deleted, Ok, Page, PageQuery, queryOf, Type } from '../../../http/schema.ts'
import { SensorBody, SensorRequestSchema, SensorSchema, SensorWaitsSchema } from '../present.ts'
import * as queries from './queries-sensors.ts'
import { approveSensor, dropSensorRequest, setSensor } from './sensors.ts'

const Params = pathOf({ key: STRING_KEY })
export const Approval = Type.Object({ required: Type.Boolean() })
const route = routeIn('Strings')

/** Which strings are sensors, and who decides it (G-39). */
export function sensorRoutes(app: Routes, ctx: Context): void {
  const path = '/strings/:key/sensor'
  app.put(
    path,
    route({
      id: 'setSensor',
      auth: 'member',
      permission: 'strings:write',
      summary: 'Turn the sensor of a string on or off; turning it on may wait for approval (202)',
      description:
        'A string with a sensor is named to apps in `smartKeys`, and they report when it is shown or pressed. Where turning sensors on takes approval, a member without approval rights only asks for it (202); turning off is done at once.',
      params: Params,
      body: SensorBody,
      out: { 200: Ok(SensorSchema), 202: Ok(SensorWaitsSchema) },
      refuses: ['UNKNOWN_STRING'],
    }),
    async (request, reply) => {
      const state = await setSensor(ctx, memberCaller(request), keyOf(request), () => bodyOf(request).enabled)
      return reply.code(state.requestId === undefined ? 200 : 202).send(ok(state))
    },
  )
  app.post(
    `${path}/approve`,
    route({
      id: 'approveSensor',
      auth: 'member',
      permission: 'strings:approve',
      summary: 'Approve a sensor that another member asked for',
      description: 'Turns on the sensor that somebody else asked for. Nobody approves their own request.',
      params: Params,
      out: Ok(SensorSchema),
      refuses: ['UNKNOWN_STRING', 'SENSOR_NOT_ASKED', 'SELF_APPROVAL_NOT_ALLOWED', 'ADDRESS_NOT_PROVED', 'INVITER_APPROVAL_NOT_ALLOWED'],
    }),
    async (request) => ok(await approveSensor(ctx, memberCaller(request), keyOf(request))),
  )
  app.delete(
    `${path}/request`,
    route({
      id: 'withdrawSensorRequest',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Withdraw or refuse a sensor that waits for approval',
      description: 'Takes your own request back, or refuses that of somebody else, which takes approval rights.',
      params: Params,
      out: Deleted,
      refuses: ['UNKNOWN_STRING', 'SENSOR_NOT_ASKED'],
    }),
    async (request) => {
      await dropSensorRequest(ctx, memberCaller(request), keyOf(request))
      return ok({ deleted: true as const })
    },
  )
  app.get(
    '/strings/sensor-requests',
    route({
      id: 'listSensorRequests',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Sensors that wait for approval, oldest first',
      description: 'Lists the strings whose sensor somebody asked for, each with the member who asked and the time.',
      query: PageQuery,
      out: Page('requests', SensorRequestSchema),
    }),
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
    route({
      id: 'getSensorApproval',
      auth: 'member',
      permission: 'strings:read',
      summary: 'Whether turning a sensor on needs approval',
      description: 'Answers whether a member without approval rights only asks for a sensor.',
      out: Ok(Approval),
    }),
    async (request) => ok({ required: await queries.needsSensorApproval(ctx.db, memberCaller(request).workspaceId) }),
  )
  app.put(
    path,
    route({
      id: 'setSensorApproval',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Let turning a sensor on need approval, or not',
      description:
        'Says whether turning a sensor on has to be approved. Members with approval rights turn sensors on at once. What waits already goes on waiting.',
      body: Approval,
      out: Ok(Approval),
    }),
    async (request) => {
      const { required } = bodyOf(request)
      const by = actorOf(request)
      await ctx.change(by, async ({ tx, workspaceId, now, audited }) => {
        audited('setting', 'sensor-approval', { required: await queries.needsSensorApproval(tx, workspaceId) }, { required })
        await queries.setSensorApproval(tx, workspaceId, required, now)
      })
      return ok({ required })
    },
  )
}

function keyOf(request: FastifyRequest<{ Params: { key: string } }>): string {
  return request.params.key
}
