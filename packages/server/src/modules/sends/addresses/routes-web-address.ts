import { readWebAddress, WEB_ADDRESS_RULE } from '@contentflow/core/messages/web-address.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import { actorOf, memberCaller } from '../../../http/callers/auth.ts'
import type { MemberCaller } from '../../../http/callers/caller.ts'
import { ok } from '../../../http/answers/envelope.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../../http/schema.ts'
import { findWebAddress } from '../../links/index.ts'
import { isPageInMails } from '../../topics/index.ts'
import { linkAddressFor } from './link-address.ts'
import { setWebAddress } from './queries-addresses.ts'

const Url = Nullable(Type.String({ description: `What paths in emails, texts and WhatsApp messages begin with: ${WEB_ADDRESS_RULE}` }))
export const WebAddress = Type.Object({
  url: Url,
  mailLinks: Type.Object(
    {
      isConfigured: Type.Boolean({ description: 'Whether whoever runs the server said so (CF_LINK_URL, CF_PUBLIC_URL)' }),
      address: Nullable(Type.String({ description: 'Null: nowhere, so no mail of campaigns and journeys is sent' })),
      preferences: Type.Boolean({ description: 'Whether mails link the page on which people choose what they get' }),
    },
    { description: 'Where unsubscribe links lead, or would if you let messages go out now' },
  ),
})

export function webAddressRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Settings')
  const path = '/settings/web-address'
  const Answer = { 200: Ok(WebAddress) }
  const read = async (member: MemberCaller) =>
    ok({
      url: await findWebAddress(ctx.db, member.workspaceId),
      mailLinks: {
        isConfigured: ctx.config.linkUrl !== '',
        address: (await linkAddressFor(ctx, member)) ?? null,
        preferences: await isPageInMails(ctx.db, member.workspaceId),
      },
    })
  app.get(
    path,
    route({
      id: 'getWebAddress',
      auth: 'member',
      permission: 'settings:read',
      summary: 'Where the paths and the unsubscribe links of messages lead on the web',
      description: 'Answers what paths in messages begin with outside of apps, and where the links to unsubscribe lead.',
      out: Answer,
    }),
    async (request) => read(memberCaller(request)),
  )
  app.put(
    path,
    route({
      id: 'setWebAddress',
      auth: 'member',
      permission: 'settings:manage',
      summary: 'Say what the paths of messages begin with where no app opens them',
      description:
        'Sets the address that paths such as /offers begin with in emails, texts and WhatsApp messages; null takes it away. Without one, a message with such a path is refused when it is submitted.',
      body: Type.Object({ url: Nullable(Type.String()) }, { examples: [{ url: 'https://shop.example.com' }, { url: null }] }),
      out: Answer,
    }),
    async (request) => {
      const { url } = bodyOf(request)
      const address = url === null ? null : (readWebAddress(url) ?? failWith(400, `url ${WEB_ADDRESS_RULE}`))
      await ctx.change(actorOf(request), async ({ tx, workspaceId, audited }) => {
        audited('setting', 'web-address', { url: await findWebAddress(tx, workspaceId) }, { url: address })
        await setWebAddress(tx, workspaceId, address)
      })
      return read(memberCaller(request))
    },
  )
}
