import { URGENCIES } from '@contentflow/core/messages/content.ts'
import type { VariantVerdict } from '@contentflow/core/campaigns/statistics.ts'
import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { PUSH_CHANNEL_PROVIDERS } from '@contentflow/core/channels/push-size.ts'
import { MESSAGE_MEMBERS } from '@contentflow/core/messages/content.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyRequest } from 'fastify'
import Type, { type Static, type TArray, type TSchema } from 'typebox'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isDayAlone, parseEnd, parseTime } from '@contentflow/core/time.ts'
import { failWith } from '../errors.ts'
import { sentBody } from './bodies/body.ts'
import { openCursor, takesCursor } from './cursors.ts'

export { Type, type Static, type TSchema }

// Bodies are taken as sent: coercing or stripping would change what a strict rule later compares.
const strict = new Ajv({ strict: false, allErrors: false, coerceTypes: false, removeAdditional: false, useDefaults: false })
// Query strings hold only text, so numbers and booleans in them are read.
const lenient = new Ajv({ strict: false, allErrors: false, coerceTypes: true, useDefaults: true })
const compiled = new WeakMap<TSchema, ValidateFunction>()
// Of files of the operator. It names the schema that a value does not fit.
const verbose = new Ajv({ strict: false, verbose: true })

/**
 * The body, checked against the route's schema; what `request.body` holds is not. Called by the handler after it has
 * checked existence, because 404 comes before 400 (G-04).
 */
export function bodyOf<T>(request: FastifyRequest & { body: T }): T
/** Checks against another schema than the route documents. */
export function bodyOf<S extends TSchema>(request: FastifyRequest, schema: S): Static<S>
export function bodyOf(request: FastifyRequest, schema = schemaOf(request).body): unknown {
  const body = sentBody(request)
  check(strict, schema, body, 'body')
  return body
}

/** The query string, checked against the route's schema, with its numbers read, and its cursor as the list gave it. */
export function queryOf<T>(request: FastifyRequest & { query: T }): T {
  const query = { ...request.query } as T & { cursor?: string }
  const { querystring } = schemaOf(request)
  check(lenient, querystring, query, 'query')
  if (query.cursor !== undefined && takesCursor(querystring)) {
    // An empty one asks for the first page, as clients send it that always name the parameter.
    if (query.cursor === '') delete query.cursor
    else query.cursor = openCursor(request, query.cursor)
  }
  return query
}

/** Every route that reads a body or a query declares it with TypeBox. */
function schemaOf({ routeOptions: { schema, method, url } }: FastifyRequest): { body: TSchema; querystring: TSchema } {
  if (!schema) throw new Error(`${String(method)} ${url} declares no schema`)
  return schema as { body: TSchema; querystring: TSchema }
}

/** A time that was sent, in UTC; undefined when it was left out or is empty. A day without a time is its beginning in the zone. */
export function timeOf(name: string, text: string | undefined, day?: string): Date | undefined {
  return readTime(name, text, (each) => parseTime(each, { day }))
}

/** Reads the end of a range: a day without a time belongs to it whole (G-90). */
export function endOf(name: string, text: string | undefined, day?: string): Date | undefined {
  return readTime(name, text, (each) => parseEnd(each, { day }))
}

/** Reads both ends of a range; 400 when it ends before it begins. */
export function rangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  day?: string,
): { from: Date | undefined; to: Date | undefined } {
  const range = { from: timeOf('from', from, day), to: endOf('to', to, day) }
  const isBackwards = range.from && range.to && (isDayAlone(to) ? range.from >= range.to : range.from > range.to)
  return isBackwards ? failWith(400, 'from must not be after to') : range
}

function readTime(name: string, text: string | undefined, read: (text: string) => string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined
  // In a query an unencoded `+` of a time zone arrives as a space.
  const time = read(text.replace(' ', '+'))
  return time === undefined ? failWith(400, `${name} must be an ISO 8601 time, such as 2026-05-01T00:00:00Z`) : new Date(time)
}

/** Reads the list of `IdsParam`. */
export function idsOf(text: string | undefined): string[] | undefined {
  const ids = text?.split(',')
  return ids && ids.length > LIMITS.pageSizeMax ? failWith(400, `ids must name at most ${LIMITS.pageSizeMax}`) : ids
}

function check(ajv: Ajv, schema: TSchema, value: unknown, where: string): void {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(schema, validate)
  }
  if (validate(value)) return
  const { instancePath, message, params } = validate.errors?.[0] ?? { instancePath: '', message: 'is not valid', params: {} }
  const path = instancePath.slice(1).replaceAll('/', '.')
  const choices = 'allowedValues' in params ? `: ${(params['allowedValues'] as unknown[]).join(', ')}` : ''
  failWith(400, `${path || where} ${message}${choices}`)
}

/** Where a value that came by no request does not fit, and what is expected there; undefined: it fits. Never the value itself. */
export function faultOf(schema: TSchema, value: unknown): string | undefined {
  const validate = verbose.compile(schema)
  if (validate(value)) return undefined
  // Of a choice the last error is that none fits.
  const { instancePath, keyword, message = 'is not valid', params, parentSchema } = validate.errors!.at(-1)!
  const where = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const name = 'additionalProperty' in params ? String(params['additionalProperty']) : undefined
  if (name !== undefined) {
    const known = Object.keys((parentSchema as { properties?: object }).properties ?? {})
    return `${where === '' ? '' : `${where} `}has ${JSON.stringify(name.slice(0, 100))}, which is no member; it may have ${known.join(', ')}`
  }
  const said = parentSchema as { description?: string; pattern?: string }
  const choices = 'allowedValues' in params ? `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` : message
  return `${where || 'it'} ${keyword === 'anyOf' && said.description ? `must be ${said.description}` : choices}`
}

// Building blocks of route schemas.

/** A success envelope around `data`. */
export const Ok = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })
/** Answered instead of the result where a second person has to approve. */
export const AskedSchema = Type.Object(
  { requestId: Type.String(), status: Type.Literal('pending') },
  { description: 'It waits for a second person: GET /reviews' },
)
/** The answer of `partial`. */
export const Partial = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(false), error: Type.String(), code: Type.String(), data: Type.Optional(data) })
export const Page = <K extends string, T extends TSchema>(name: K, item: T) =>
  Type.Object({
    success: Type.Literal(true),
    data: Type.Object({ [name]: Type.Array(item) } as Record<K, TArray<T>>),
    metadata: Type.Object({ total: Type.Integer(), nextCursor: Nullable(Type.String()) }, { title: 'Paging' }),
  })
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A value whose type core defines; `schema` documents what clients may rely on. */
export const Shaped = <T>(schema: TSchema) => Type.Unsafe<T>(schema)
/** A `Date` in the code, ISO 8601 text in the answer (`wire.ts`). */
export const Time = timeThat('ISO 8601, UTC')
export function timeThat(description: string) {
  return Type.Unsafe<Date>(Type.String({ format: 'date-time', description }))
}
/** A time that the code keeps as text. */
export const TimeText = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
/** A time in a query; `timeOf` reads it. */
export const TimeParam = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))
/** Ids in a query; `idsOf` reads them. An id has at most 40 characters. */
export const IdsParam = Type.Optional(
  Type.String({ maxLength: LIMITS.pageSizeMax * 41, description: `Only these, comma separated, at most ${LIMITS.pageSizeMax}` }),
)
export const EnvironmentName = Type.Enum(['live', 'test'])
/** Which environment's people are asked for; by default those that the workspace is about. */
export const EnvironmentAsked = Type.Optional(Type.Enum(['live', 'test'], { description: 'Left out: live, in a sandbox test' }))
export const Deleted = Ok(Type.Object({ deleted: Type.Literal(true) }, { title: 'Deleted' }))
export const Empty = Type.Object({})
/** The answer about a one-time code that is needed for something to go live. */
export const CodeSent = {
  sentTo: Type.String(),
  expiresAt: Time,
  code: Type.Optional(Type.String({ description: 'With test hooks only' })),
}

/** Paging of management lists (G-04). */
export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: LIMITS.pageSizeMax, default: LIMITS.pageSize, description: 'Entries on one page' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 2_000, description: '`metadata.nextCursor` of the page before; without it the first page' }),
  ),
})

/** The query of routes for drafts that the editor saves while somebody types. */
export const AutosaveQuery = Type.Object({
  autosave: Type.Boolean({
    default: false,
    description: `A draft that saves itself: what one member saves so within ${LIMITS.autosaveMinutes} minutes is one step of its history; what was saved by hand stays`,
  }),
})

export const UrgencySchema = Type.Enum([...URGENCIES], {
  description: 'Of push in browsers: a device that saves power gets what is less urgent later. Left out: normal',
})
export const ShortenSchema = Type.Boolean({
  description:
    'Of sms, and of whatsapp without a template: the link is a short one of this server, which leads on for 180 days; said in one language it holds for all',
})
/** The template of a message, wherever a message is written. */
export const WhatsappTemplateSchema = Type.Object(
  {
    id: Type.String({
      description: 'Of an approved template, at Twilio its Content SID',
      examples: ['HX0123456789abcdef0123456789abcdef'],
    }),
    variables: Type.Optional(
      Shaped<Record<string, string>>(
        Type.Object({}, { additionalProperties: { type: 'string' }, description: 'By their names in the template; tokens are filled' }),
      ),
    ),
  },
  { description: 'Sent over WhatsApp instead of the texts: outside of a conversation it takes nothing else' },
)

/** A mail of sections (core/mail/document.ts); what it may hold in full is read, and refused, by core/mail/read-document.ts. */
export const MailSchema = Type.Object(
  {
    version: Type.Literal(1),
    kind: Type.Enum(['sections', 'html'], { description: '`html`: own HTML, cleaned by POST /mails/import-html' }),
    sections: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.String(), type: Type.Enum(['section', 'products', 'part', 'footer']) },
          {
            additionalProperties: true,
            description:
              '`section`: columns of nodes; `products`: of the person or of the workspace; `part`: a saved part by its id; `footer`: the link by which people leave, last',
          },
        ),
        { maxItems: LIMITS.mailSections, description: 'Of a mail of sections' },
      ),
    ),
    texts: Type.Record(
      Type.String(),
      Type.Object({
        subject: Type.String(),
        preheader: Type.Optional(Type.String()),
        nodes: Type.Optional(Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }))),
        html: Type.Optional(Type.String({ description: 'Of a mail of own HTML: the whole page' })),
      }),
      { description: 'By language; of a node by its id' },
    ),
  },
  { title: 'Mail', description: 'A mail of sections: its structure once, its texts by language' },
)

/** What a variant says in the mail of its campaign (core/mail/variant-mail.ts), which core/mail/read-variant.ts reads. */
export const VariantMailSchema = Type.Object(
  {
    texts: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          subject: Type.Optional(Type.String()),
          preheader: Type.Optional(Type.String()),
          nodes: Type.Optional(Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }))),
        }),
        { description: 'By language; what it does not say stays' },
      ),
    ),
    hidden: Type.Optional(Type.Array(Type.String(), { description: 'Ids of nodes or sections that this variant leaves out' })),
  },
  { title: 'VariantMail', description: 'What a variant says otherwise in the mail of sections' },
)

/** Parts of a message that would not arrive, or incomplete, whoever gets it (core/messages/unsendable.ts). */
export const SendingFaultSchema = Type.Union([
  Type.Object(
    {
      code: Type.Literal('relative_link'),
      channel: Type.Enum([...CHANNEL_TYPES]),
      locale: Type.String(),
      member: Type.Enum([...MESSAGE_MEMBERS]),
    },
    { title: 'RelativeLink', description: 'A path, and no web address of the workspace that it would begin with' },
  ),
  Type.Object(
    {
      code: Type.Literal('push_too_large'),
      provider: Type.Enum([...PUSH_CHANNEL_PROVIDERS]),
      locale: Type.String(),
      bytes: Type.Integer({ description: 'At least, without the values of tokens' }),
      most: Type.Integer(),
    },
    { title: 'PushTooLarge', description: 'This provider takes no push message of that size' },
  ),
  Type.Object(
    { code: Type.Literal('public_url_missing') },
    {
      title: 'PublicUrlMissing',
      description: 'CF_PUBLIC_URL is not set, so unsubscribe links lead to where the approval came from, or there are none',
    },
  ),
])

/** For answers of routes that report: a member that is only there when something was replaced (G-85). */
export const ReplacedTexts = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Texts that had a NUL or half of a surrogate pair, in whose place there is U+FFFD' }),
)

// --- what is compared ---

export const RateSchema = Nullable(
  Type.Object({ rate: Type.Number(), low: Type.Number(), high: Type.Number() }, { description: 'The share, with its 95 % interval' }),
)

export const VerdictSchema = Shaped<VariantVerdict>(
  Type.Object({
    kind: Type.Enum(['too_few', 'open', 'clear'], {
      description:
        'clear: the best variant is better than the next one, not by chance. It may be looked at as often as one likes: of a hundred tests without a difference at most five are ever called clear',
    }),
    chance: Type.Optional(
      Type.Number({ description: 'How likely such a difference is ever found by chance alone, however often one looks' }),
    ),
    best: Type.Optional(Type.String()),
    than: Type.Optional(Type.String()),
    isEarly: Type.Optional(Type.Boolean({ description: 'Always false: looking early and often finds no more than is there' })),
    p: Type.Optional(Type.Number({ description: '`chance` for all pairs of variants together; clear when below 0.05' })),
    low: Type.Optional(Type.Number({ description: 'The true difference of the two shares lies between `low` and `high`' })),
    high: Type.Optional(Type.Number()),
    needed: Type.Optional(
      Type.Integer({
        description: 'About how many more of the two, until a difference as it is now would be clear; absent when very many',
      }),
    ),
  }),
)
