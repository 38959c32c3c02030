import { CHANNEL_TYPES, type Configuration } from '@contentflow/core/channels/channel.ts'
import { DOMAIN_FINDINGS } from '@contentflow/core/channels/domain-check.ts'
import { PROVIDERS } from '@contentflow/core/channels/providers.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Shaped, Time, timeThat, Type } from '../../http/schema.ts'

const ChannelTypeSchema = Type.Enum([...CHANNEL_TYPES])
const Name = Type.String({ minLength: 1, maxLength: LIMITS.channelNameLength })
const Priority = Type.Integer({
  minimum: -LIMITS.channelPriority,
  maximum: LIMITS.channelPriority,
  description: 'Of several active channels of a type the highest sends; 0 when left out',
})
const Active = Type.Boolean({ description: 'false: it is kept and sends nothing' })
const ConfigurationBody = Type.Unknown({
  description: 'An object with the members of the provider; `********` keeps a stored secret, null takes a member away',
})

export const NewChannelBody = Type.Object(
  {
    type: ChannelTypeSchema,
    provider: Type.Enum([...PROVIDERS]),
    name: Name,
    configuration: ConfigurationBody,
    priority: Type.Optional(Priority),
    active: Type.Optional(Active),
  },
  {
    examples: [
      {
        type: 'email',
        provider: 'smtp',
        name: 'Our own server of mail',
        priority: 10,
        configuration: { host: 'smtp.example.com', port: 587, username: 'news', password: '…', from: 'News <news@example.com>' },
      },
      {
        type: 'push',
        provider: 'web_push',
        name: 'Browsers',
        configuration: { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/' },
      },
      { type: 'push', provider: 'hms', name: 'Huawei phones', configuration: { appId: '100000001', appSecret: '…' } },
    ],
  },
)
const ReplaceKeys = Type.Boolean({
  description:
    'Of web_push: true takes other keys although browsers subscribed with these, which are lost until their page is opened again',
})
export const ChangeChannelBody = Type.Partial(
  Type.Object({ ...NewChannelBody.properties, priority: Priority, active: Active, replaceKeys: ReplaceKeys }),
  {
    examples: [{ priority: 20 }, { configuration: { from: 'Shop <shop@example.com>', password: '********' } }],
  },
)

export const ChannelSchema = Type.Object({
  id: Type.String(),
  type: ChannelTypeSchema,
  provider: Type.Enum([...PROVIDERS]),
  name: Type.String(),
  configuration: Shaped<Configuration>(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Its secrets are shown as `********`, at any depth' }),
  ),
  priority: Type.Integer(),
  active: Type.Boolean(),
  pausedAt: Nullable(timeThat('Since when it failed so often that it is tried once a minute; it goes on by itself')),
  failure: Nullable(Type.String({ description: 'What the provider said of the last message it did not take' })),
  failedAt: Nullable(Time),
  sentAt: Nullable(timeThat('When it took a message last')),
  createdAt: Time,
  updatedAt: Time,
})

export const TestBody = Type.Object(
  { to: Type.Optional(Type.String({ maxLength: LIMITS.pushTokenLength })) },
  { examples: [{ to: '+966500000000' }, { to: 'the token of a device' }] },
)
export const EmailTestBody = Type.Object(
  { to: Type.Optional(Type.String({ maxLength: LIMITS.contactTextLength })) },
  { examples: [{}, { to: 'sara@example.com' }] },
)
export const TestedSchema = Type.Object({ sent: Type.Literal(true), provider: Type.Enum([...PROVIDERS]) })
/** G-60: a provider that refuses is no fault of the request. */
export const NotSentSchema = Type.Object({ success: Type.Literal(false), error: Type.String() })

export const CheckDomainBody = Type.Object(
  {
    selector: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$',
        maxLength: 63,
        description: 'Of DKIM, where the channel does not know it: what the server of mail or the account at the provider signs with',
      }),
    ),
  },
  { examples: [{}, { selector: 's1' }] },
)
export const DomainCheckSchema = Type.Object({
  domain: Type.String(),
  findings: Type.Array(
    Type.Object(
      {
        code: Type.Enum([...DOMAIN_FINDINGS]),
        level: Type.Enum(['ok', 'warn', 'stop'], { description: '`stop`: large receivers refuse mail as it is' }),
        name: Type.String({ description: 'Where the record stands, or should' }),
        value: Nullable(Type.String({ description: 'What stands there' })),
        advice: Type.String({ description: 'What to do; empty where nothing is' }),
      },
      { title: 'DomainFinding' },
    ),
  ),
})
