import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { segmentsOfMail } from '@contentflow/core/mail/shown-to.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { ok } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Nullable, Ok, Type } from '../../http/schema.ts'
import type { Channels } from '../channels/index.ts'
import { guardWriteOnly } from '../segments/index.ts'
import { presentPreview, previewSends, PreviewSchema, sendTest } from '../sends/index.ts'
import { mailNow } from './campaigns.ts'
import { withCatalog } from './catalog-texts.ts'
import { getCampaign, type StoredCampaign } from './queries.ts'

const route = routeIn('Campaigns')
const Params = pathOf({ id: 'The id of the campaign' })
const Channel = Type.Enum([...SEND_CHANNELS])
const VariantId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'As if everybody got this variant; left out: each gets their own' }),
)
const PreviewBody = Type.Object({ variantId: VariantId }, { examples: [{}, { variantId: 'short' }] })
const TestBody = Type.Object(
  {
    to: Type.Union([
      Type.Literal('me'),
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 10, uniqueItems: true }),
    ]),
    locale: Type.Optional(
      Type.String({ minLength: 2, maxLength: 35, description: 'Of the languages it is written in; left out: as each person would get it' }),
    ),
    variantId: VariantId,
    as: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'To yourself: a user id, whose values the placeholders are filled with' }),
    ),
    values: Type.Optional(
      Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 500 }), {
        maxProperties: 100,
        description: 'To yourself: an example for each placeholder that is not to stand as it is written, as `customAttributes.plan`',
      }),
    ),
  },
  { examples: [{ to: 'me' }, { to: 'me', locale: 'ar', values: { 'customAttributes.plan': 'gold' } }, { to: ['user-1', 'user-2'] }] },
)
export const Tried = Type.Object({
  userId: Nullable(Type.String({ description: 'null: yourself' })),
  channel: Channel,
  sent: Type.Boolean(),
  reason: Type.Optional(Type.String()),
})

/** Before it goes out: whom it would reach, what they would read, and the message itself for those who try it. */
export function previewRoutes(app: Routes, ctx: Context, channels: Channels): void {
  app.post(
    '/campaigns/:id/preview',
    route({
      id: 'previewCampaign',
      auth: 'member',
      permission: 'campaigns:read',
      isRead: true,
      summary:
        'Whom it would reach if it left now, whom not and why, and what they would read; of segments by industry data or imported data for editors and admins',
      description:
        'Works out for every person whether they would get it over which channel, and counts the reasons why others do not. Some of the messages are shown as these people would read them. Nothing is stored or sent.',
      params: Params,
      body: PreviewBody,
      out: Ok(PreviewSchema),
    }),
    async (request) => {
      const caller = memberCaller(request)
      const campaign = await getCampaign(ctx.db, caller.workspaceId, request.params.id)
      await guardWriteOnly(ctx, caller, { segments: [...campaign.segments, ...segmentsOfMail(campaign.mail)] })
      const { variantId } = bodyOf(request)
      refuseUnknownVariant(campaign, variantId)
      return ok(presentPreview(await previewSends(ctx, caller, { ...(await sendOf(ctx, caller.workspaceId, campaign)), variantId })))
    },
  )
  app.post(
    '/campaigns/:id/test-send',
    route({
      id: 'testCampaign',
      callsOut: true,
      auth: 'member',
      permission: 'campaigns:send',
      summary: 'Send it, marked as a test, by email to yourself or over its channels to people you name',
      description:
        'Sends the messages of the campaign with the mark of a test. To yourself they go by email; people you name get them over its channels, where they agreed to those. `reason` says why somebody did not get it, in the words of the provider where it refused.',
      params: Params,
      body: TestBody,
      out: Ok(Type.Object({ results: Type.Array(Tried) })),
      refuses: ['CHANNEL_TEST_RATE_LIMITED'],
    }),
    async (request) => {
      const caller = memberCaller(request)
      const campaign = await getCampaign(ctx.db, caller.workspaceId, request.params.id)
      const { to, locale, variantId, as, values } = bodyOf(request)
      refuseUnknownVariant(campaign, variantId)
      const sent = await sendOf(ctx, caller.workspaceId, campaign)
      if (to !== 'me' && sent.channels.length === 0) failWith(400, 'The campaign has no channel that messages leave through')
      return ok({ results: await sendTest({ ctx, channels }, caller, to, { ...sent, locale, variantId, as, values }) })
    },
  )
}

/** Of a draft, with what the catalog says now; what was submitted stays what it is. */
async function asShown({ db }: Context, campaign: StoredCampaign, workspaceId: string): Promise<StoredCampaign> {
  const isOpen = campaign.status === 'draft' || campaign.status === 'rejected'
  return isOpen ? withCatalog({ tx: db, workspaceId }, campaign) : campaign
}

function refuseUnknownVariant({ content }: StoredCampaign, variantId: string | undefined): void {
  const isKnown = (id: string) => Object.values(content).some(({ variants = [] }) => variants.some((each) => each.id === id))
  if (variantId !== undefined && !isKnown(variantId)) failWith(400, `variantId: the campaign has no variant ${JSON.stringify(variantId)}`)
}

async function sendOf(ctx: Context, workspaceId: string, campaign: StoredCampaign) {
  const shown = await asShown(ctx, campaign, workspaceId)
  const { id, content, segments, schedule, dispatchChannels, controlPercent, topic } = shown
  const mail = await mailNow(ctx.db, workspaceId, shown)
  const channels = SEND_CHANNELS.filter((channel) => dispatchChannels.includes(channel))
  return { sourceId: id, content, segments, window: schedule, channels, controlPercent, mail, topic }
}
