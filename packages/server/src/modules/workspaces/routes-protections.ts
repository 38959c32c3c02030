import { allProtections, PROTECTIONS, type ProtectionName, type Protections } from '@contentflow/core/protections.ts'
import type { Context } from '../../context.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Ok, Shaped, Type } from '../../http/schema.ts'
import { getSettings } from './queries.ts'
import { setProtections } from './settings.ts'

export const ProtectionSwitches = Shaped<Record<ProtectionName, boolean>>(
  Type.Object(Object.fromEntries(PROTECTIONS.map((name) => [name, Type.Boolean()]))),
)
const ProtectionBody = Type.Object({
  protections: Shaped<Partial<Record<ProtectionName, boolean>>>(
    Type.Object(Object.fromEntries(PROTECTIONS.map((name) => [name, Type.Optional(Type.Boolean())])), {
      additionalProperties: false,
      examples: [{ confirmErasures: true }],
    }),
  ),
})
const Answer = { 200: Ok(Type.Object({ protections: ProtectionSwitches })) }

/** What guards people and content beyond the documents: all off until an admin turns it on. */
export function protectionRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/protections'
  app.get(
    path,
    route({
      id: 'getSettingsProtections',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Which protections of people and content are on',
      description: 'Answers each protection with whether it is on. All are off until an admin turns them on.',
      out: Answer,
    }),
    async (request) => {
      const { protections } = await getSettings(ctx.db, memberCaller(request).workspaceId)
      return ok({ protections: allProtections(protections as Partial<Protections>) })
    },
  )
  app.put(
    path,
    route({
      id: 'updateSettingsProtections',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Turn protections on or off',
      description: 'Turns the named protections on or off; the others stay. Every process keeps to it when this is answered.',
      body: ProtectionBody,
      out: Answer,
    }),
    async (request) => ok({ protections: await setProtections(ctx, actorOf(request), bodyOf(request).protections) }),
  )
}
