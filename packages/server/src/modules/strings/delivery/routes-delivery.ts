/** HOT PATH. GET /strings and GET /locales; finished bytes are written past the framework. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { appCaller } from '../../../http/callers/auth.ts'
import { LanguageHeader, KnownTag } from '../../../http/params.ts'
import { routeIn, type Routes } from '../../../http/routes.ts'
import { Ok, Type, type Static } from '../../../http/schema.ts'
import { StringsReading, type StringsRead } from './reading.ts'

const StringsQuery = Type.Object({
  locale: Type.Optional(Type.String({ examples: ['ar'], description: 'Comes before the first tag of Accept-Language' })),
  namespace: Type.Optional(Type.String({ examples: ['app'], description: 'Only its keys; left out, the keys of every namespace' })),
})
const ReadHeaders = Type.Object({
  'accept-language': LanguageHeader,
  'if-none-match': KnownTag,
})
const Catalog = Type.Object({
  locale: Type.String({ description: 'The language served: that of the workspace nearest to the one asked for' }),
  strings: Type.Record(Type.String(), Type.String(), { description: 'Key to text: the approved translation, otherwise the source text' }),
  smartKeys: Type.Array(Type.String(), { description: 'Keys enabled as sensors' }),
  withheldKeys: Type.Array(Type.String(), { description: 'Keys served as source text because their translation is not approved' }),
  version: Type.String({ description: 'Another one whenever anything of this answer is another' }),
})
const Locales = Type.Object({
  locales: Type.Array(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      native: Type.String(),
      rtl: Type.Boolean(),
      coverage: Type.Integer({ description: 'Percent of the strings that are approved' }),
    }),
  ),
})

export function stringsDeliveryRoutes(app: Routes, reading: StringsReading): void {
  const route = routeIn('Delivery')
  app.get(
    '/strings',
    route({
      id: 'getTexts',
      auth: 'app',
      summary: 'Every text of the application in one language',
      description:
        'Answers every text of one language: the approved translation, and the source text where there is none. Keys whose translation waits for approval are named in `withheldKeys`. A language the workspace lacks is replaced by the nearest one it has, which `locale` names.',
      sends: ['ETag'],
      query: StringsQuery,
      headers: ReadHeaders,
      out: { 200: Ok(Catalog), 304: Type.Null() },
    }),
    handleReading(reading, ({ query: { locale, namespace } }) => ({
      kind: 'strings',
      locale: firstOf(locale),
      namespace: firstOf(namespace),
    })),
  )
  app.get(
    '/locales',
    route({
      id: 'getDeliveredLocales',
      auth: 'app',
      summary: 'The languages of the application',
      description:
        'Answers the languages of the workspace with their own names, the direction of their writing and the share of approved texts, for a choice of language in the app.',
      sends: ['ETag'],
      headers: ReadHeaders,
      out: { 200: Ok(Locales), 304: Type.Null() },
    }),
    handleReading(reading, () => ({ kind: 'locales' })),
  )
}

/** The long way, after the framework's guards. */
type ReadRequest = FastifyRequest<{ Querystring: Static<typeof StringsQuery> }>

function handleReading(reading: StringsReading, read: (request: ReadRequest) => StringsRead) {
  return (request: ReadRequest, reply: FastifyReply): Promise<void> => {
    const caller = appCaller(request)
    const asked = read(request)
    return reading.load(caller, request.headers['accept-language'], asked).then((answer) => {
      reading.write({ request: request.raw, response: reply.raw, caller, rate: request.rate, began: request.began }, asked, answer)
      reply.hijack()
    })
  }
}

/** A member sent twice counts once, an empty one not at all. */
function firstOf(member: string | string[] | undefined): string | undefined {
  return (Array.isArray(member) ? member[0] : member) || undefined
}
