import { PLAIN_BRAND, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { readBrand } from '@contentflow/core/mail/brand/read-brand.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { actorOf, memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { BODY_BYTES } from '../../http/bodies/body-bytes.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Ok } from '../../http/schema.ts'
import { BrandBody, BrandSchema } from './present-brand.ts'
import { findBrand, setBrand } from './queries-brand.ts'

/** What all mails of sections look like and say of the company. */
export function brandRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/brand'
  const shown = (brand: Brand | null) => ok({ brand: brand ?? PLAIN_BRAND, isSet: brand !== null })
  app.get(
    path,
    route({
      id: 'getBrand',
      auth: 'member',
      permission: 'messages:read',
      summary: 'Logo, colours, letters, company and address of all mails of sections',
      description:
        'Answers the brand that mails of sections and the pages of their links are drawn with, or the plain look while nobody set one (`isSet`).',
      out: Ok(BrandSchema),
    }),
    async (request) => shown(await findBrand(ctx.db, memberCaller(request).workspaceId)),
  )
  app.put(
    path,
    route({
      id: 'setBrand',
      auth: 'member',
      permission: 'messages:manage',
      summary: 'Say what mails look like; what is left out is as where nobody said anything, and null takes all of it back',
      description: 'Replaces the whole brand. Mails that are sent from then on look like it, those of approved campaigns too.',
      body: BrandBody,
      out: Ok(BrandSchema),
      bodyLimit: BODY_BYTES.campaign,
    }),
    async (request) => {
      const brand = readSent(sentBody(request))
      await ctx.change(actorOf(request), async ({ tx, workspaceId, audited }) => {
        audited('setting', 'brand', await findBrand(tx, workspaceId), brand)
        await setBrand(tx, workspaceId, brand)
      })
      return shown(brand)
    },
  )
}

function readSent(body: unknown): Brand | null {
  if (typeof body !== 'object' || body === null || !('brand' in body)) failWith(400, 'brand is required')
  if (body.brand === null) return null
  const read = readBrand('brand', body.brand)
  return read.ok ? read.value : failWith(400, read.error)
}
