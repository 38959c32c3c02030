import { TRACKING_MODES } from '@contentflow/core/messages/responses/tracking.ts'
import { Nullable, RateSchema, Type, VerdictSchema, type Static } from '../../http/schema.ts'

const Mode = Type.Enum([...TRACKING_MODES], {
  description:
    "off: nobody's. agreed: of people who said yes to the topic `message_tracking`. unless_refused: of everybody who did not say no to it; whether a law allows that is yours to know",
})
const trap =
  'Whether mails that are counted have a link that nobody sees: who follows it is a scanner, and so is what comes within ten seconds of it'
const examples = [{ opens: 'agreed', clicks: 'agreed', trap: false }]
export const MessageTrackingSchema = Type.Object({ opens: Mode, clicks: Mode, trap: Type.Boolean({ description: trap }) }, { examples })
export const MessageTrackingBody = Type.Object(
  { opens: Mode, clicks: Mode, trap: Type.Optional(Type.Boolean({ description: `${trap}; left out: no` })) },
  { examples },
)
export const ChannelQuery = Type.Object({
  channel: Type.Enum(['email', 'sms', 'whatsapp'], {
    default: 'email',
    description: 'Messages of one channel: emails, or text messages and WhatsApp messages with short links, of which only clicks are known',
  }),
})

const Figures = {
  tracked: Type.Integer({ description: 'Mails whose openings or clicks are counted: what the shares are shares of' }),
  opened: Type.Object({
    people: Type.Integer({ description: 'An estimate: pictures may be off, and whoever followed a link has opened it' }),
    rate: RateSchema,
    unknown: Type.Integer({ description: 'People whose mail programs load every picture by themselves: nobody can know' }),
    machines: Type.Integer({ description: 'Mails that scanners opened' }),
  }),
  clicked: Type.Object({
    people: Type.Integer({ description: 'Who followed a link, each once' }),
    rate: RateSchema,
    machines: Type.Integer({ description: 'Mails whose links scanners followed' }),
  }),
}
const MailLinkSchema = Type.Object({
  node: Type.String({ description: 'The place in the mail, the same in every language and variant' }),
  label: Nullable(Type.String({ description: 'null: the mail has no such place any more' })),
  url: Nullable(Type.String({ description: 'As it is written, with its tokens' })),
  people: Type.Integer({ description: 'Each once' }),
  times: Type.Integer(),
  machines: Type.Integer(),
  machineTimes: Type.Integer(),
})
export type MailLink = Static<typeof MailLinkSchema>
export const MailLinksSchema = Type.Object({ links: Type.Array(MailLinkSchema) })
export const ResponseReportSchema = Type.Object({
  tracking: MessageTrackingSchema,
  sent: Type.Integer({ description: 'Mails that a provider took and that did not come back' }),
  ...Figures,
  variants: Type.Array(
    Type.Object({ variantId: Nullable(Type.String({ description: 'null: the content without a variant' })), ...Figures }),
  ),
  clicks: VerdictSchema,
  links: Type.Array(MailLinkSchema),
})
export type ResponseReport = Static<typeof ResponseReportSchema>
