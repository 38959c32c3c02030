import { LAUNCH_PROTECTIONS } from '@contentflow/core/campaigns/status.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, CodeSent, Empty, Ok, Type } from '../../http/schema.ts'
import { sendCode } from '../approvals/index.ts'
import type { Channels } from '../channels/index.ts'
import { setLaunch } from './launch.ts'
import { findLaunch, getCampaign } from './queries.ts'

export const LaunchSchema = Type.Object({
  mode: Type.Enum([...LAUNCH_PROTECTIONS], {
    description: 'admin: only admins let a campaign go live. otp: whoever does shows a one-time code',
  }),
  sealAudience: Type.Boolean({ description: 'What was approved goes live only while its segments mean what they meant then' }),
})
const LaunchBody = Type.Object({ mode: LaunchSchema.properties.mode, sealAudience: Type.Optional(LaunchSchema.properties.sealAudience) })
export const SentSchema = Type.Object({ campaignId: Type.String(), ...CodeSent })

/** G-54. */
export function launchRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/campaigns/:id/launch-otp',
    routeIn('Campaigns')({
      id: 'sendLaunchCode',
      callsOut: true,
      auth: 'member',
      permission: 'campaigns:read',
      summary: 'Have a one-time code sent to your email, to let this campaign go live',
      description:
        'Sends a code to your own address, to be sent as `otp` when this campaign goes live. It is needed only where launch protection asks for one. A few codes are allowed in some minutes.',
      params: pathOf({ id: 'The id of the campaign' }),
      body: Empty,
      out: { 202: Ok(SentSchema) },
      refuses: ['LAUNCH_OTP_RATE_LIMITED', 'LAUNCH_OTP_UNAVAILABLE'],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      const { id, name } = await getCampaign(ctx.db, caller.workspaceId, request.params.id)
      return reply.code(202).send(ok({ campaignId: id, ...(await sendCode(ctx, channels, caller, { kind: 'campaign', id, name })) }))
    },
  )
  app.get(
    '/settings/launch-protection',
    routeIn('Settings')({
      id: 'getLaunchProtection',
      auth: 'member',
      permission: 'settings:read',
      summary: 'What going live takes besides an approval',
      description:
        'Answers whether going live takes an admin or a one-time code, and whether what was approved is held to the audience it was approved for.',
      out: Ok(LaunchSchema),
    }),
    async (request) => ok(await findLaunch(ctx.db, memberCaller(request).workspaceId)),
  )
  app.put(
    '/settings/launch-protection',
    routeIn('Settings')({
      id: 'setLaunchProtection',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Say what going live takes besides an approval',
      description:
        'Sets the mode, and the seal of the audience where it is sent. It counts for campaigns, journeys and messages to segments from the next launch on.',
      body: LaunchBody,
      out: Ok(LaunchSchema),
    }),
    async (request) => {
      const sent = bodyOf(request)
      const before = await findLaunch(ctx.db, memberCaller(request).workspaceId)
      const launch = { mode: sent.mode, sealAudience: sent.sealAudience ?? before.sealAudience }
      await setLaunch(ctx, actorOf(request), launch)
      return ok(launch)
    },
  )
}
