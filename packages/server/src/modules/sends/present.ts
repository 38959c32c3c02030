import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MailSchema, Nullable, Shaped, ShortenSchema, Time, Type, UrgencySchema, WhatsappTemplateSchema } from '../../http/schema.ts'
import type { SendReport } from './queries.ts'
import type { ListedSend } from './dispatch/queries-ledger.ts'

const ChannelSchema = Type.Enum([...CHANNEL_TYPES])
const Text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
/** G-61; tokens such as `{{name}}` are filled for each person. */
const OneOffContent = Type.Object({
  title: Text(500),
  body: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', description: 'Left out only where a template is sent over WhatsApp' }),
  ),
  imageUrl: Text(2_048),
  ctaLabel: Text(100),
  ctaUrl: Text(2_048),
  whatsappTemplate: Type.Optional(WhatsappTemplateSchema),
  shorten: Type.Optional(ShortenSchema),
  urgency: Type.Optional(UrgencySchema),
})
const TopicNamed = Type.Optional(
  Type.String({ maxLength: LIMITS.topicIdLength, description: 'What it is about: whoever does not want that gets nothing' }),
)
const content = { title: 'Your order', body: 'Hello {{name}}, it is on its way.' }
const mail = {
  version: 1,
  kind: 'sections',
  sections: [{ id: 's1', type: 'section', columns: [{ width: 100, nodes: [{ id: 'title', type: 'heading', level: 1 }] }] }],
  texts: { en: { subject: 'Your order', nodes: { title: { blocks: [{ p: [{ v: 'Hello {{name | friend}}, it is on its way.' }] }] } } } },
}
/** Which of the two is needed is said by the route: `content.body`, unless a mail says everything. */
const message = {
  channel: ChannelSchema,
  content: Type.Optional(OneOffContent),
  /** Of email, which sends it instead of the content. */
  mail: Type.Optional(MailSchema),
  topic: TopicNamed,
}
export const PersonBody = Type.Object(
  { userId: Type.String({ minLength: 1, maxLength: 256 }), ...message },
  {
    examples: [
      { userId: 'user-1', channel: 'email', content },
      { userId: 'user-1', channel: 'email', mail },
    ],
  },
)
export const SegmentBody = Type.Object(
  {
    ...message,
    otp: Type.Optional(Type.String({ maxLength: 20, description: 'The one-time code, where launch protection asks for one' })),
  },
  { examples: [{ channel: 'push', content }] },
)

const Counts = Shaped<Record<string, number>>(Type.Object({}, { additionalProperties: { type: 'integer' }, description: 'By reason' }))
export const PersonAnswer = Type.Object({
  sent: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Why not: a reason of skipping, or what the provider said' })),
  retryAt: Type.Optional(Type.Unsafe<Date>({ type: 'string', format: 'date-time', description: 'When it is tried again' })),
})
export const SegmentAnswer = Type.Object({
  recipients: Type.Integer({ description: 'People of the segment that were looked at so far' }),
  sent: Type.Integer(),
  skipped: Counts,
  failed: Type.Integer(),
  waiting: Type.Integer({ description: 'Sent behind this answer, or tried again' }),
})
/** G-60: a channel that is not there is no fault of the request. */
export const NotSentSchema = Type.Object({ success: Type.Literal(false), error: Type.String() })

/** G-56. */
export const ReportSchema = Type.Object({
  missed: Type.Boolean({ description: 'It was more than 24 hours late, and not sent' }),
  channels: Shaped<Record<string, ReportedChannel>>(
    Type.Record(
      Type.String(),
      Type.Object({
        attempted: Type.Integer(),
        sent: Type.Integer(),
        failed: Type.Integer(),
        waiting: Type.Integer(),
        skipped: Counts,
        failures: Counts,
      }),
    ),
  ),
})
type ReportedChannel = {
  attempted: number
  sent: number
  failed: number
  waiting: number
  skipped: Record<string, number>
  failures: Record<string, number>
}

export function presentReport({ missed, channels }: SendReport) {
  const shown = [...channels].map(([channel, { skipped, failures, ...sums }]) => [
    channel,
    { ...sums, skipped: Object.fromEntries(skipped), failures: Object.fromEntries(failures) },
  ])
  return { missed, channels: Object.fromEntries(shown) as Record<string, ReportedChannel> }
}

export const SendSchema = Type.Object({
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String({ description: 'Of an anonymous person' })),
  source: Type.Enum(['campaign', 'journey', 'notification']),
  sourceId: Type.String(),
  step: Nullable(Type.String({ description: 'Of a journey' })),
  name: Type.String(),
  channel: Type.Enum([...CHANNEL_TYPES, 'in_app']),
  state: Type.Enum(['due', 'sending', 'sent', 'failed', 'skipped']),
  reason: Nullable(Type.String({ description: 'Why it was skipped or failed, or what went wrong with the last try' })),
  tries: Type.Integer(),
  provider: Nullable(Type.String()),
  told: Nullable(Type.String({ description: 'What the provider said later: delivered, bounced or complained' })),
  createdAt: Time,
  updatedAt: Time,
  nextAt: Nullable(Time),
})

export function presentSend(send: ListedSend) {
  return {
    userId: send.user_id,
    deviceId: send.device_id,
    source: send.source,
    sourceId: send.source_id,
    step: send.step === '' ? null : send.step,
    name: send.name,
    channel: send.channel,
    state: send.state,
    reason: send.reason,
    tries: send.tries,
    provider: send.provider,
    told: send.told,
    createdAt: send.created_at,
    updatedAt: send.updated_at,
    nextAt: send.due_at,
  }
}
