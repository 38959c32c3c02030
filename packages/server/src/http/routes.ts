import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { OtherStatus, SentHeader } from './openapi/answer-headers.ts'

/** Where routes are added; the schemas of a route type what its handler gets and may answer. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The one export of a module's `routes.ts`: its routes under each root, made from what was opened for the process. */
export type ModuleRoutes<Opened> = {
  /** For applications and build pipelines; mounted under both client roots (G-15). */
  client?(app: Routes, opened: Opened): void
  /** For people, build pipelines, servers and the operator. */
  management?(app: Routes, opened: Opened): void
  /** For directories, by SCIM. */
  scim?(app: Routes, opened: Opened): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the route for tools: a verb and its object; one for each root where the route is under both. */
    id?: string | { client: string; management: string }
    /** Refusals of the route itself. Those of its credential, and of signed identity, are added in `openapi/document.ts`. */
    refuses?: readonly ErrorCode[]
    /** Headers of its answers that say something of their own. */
    sends?: readonly SentHeader[]
    /** Statuses of answers that have neither a schema nor a code: parts of files, and refusals in words that say when to come back. */
    alsoAnswers?: readonly OtherStatus[]
  }
}

/** Schemas of the answers, by status. */
type Answers = { readonly [status: number]: TSchema }

/** Describes a route besides its path and its handler; who may call it is in `auth` and `permission`. */
export type RouteDescription = FastifyContextConfig & {
  id: NonNullable<FastifyContextConfig['id']>
  auth: NonNullable<FastifyContextConfig['auth']>
  /** One line, for the reference. */
  summary: string
  /** What it does and changes, what its answer holds, and when it refuses what a stranger would not expect. Who may call it is added by itself. */
  description: string
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** The answer with 200, or the answers by status. */
  out?: TSchema | Answers
  /** The largest body, where it differs from the default. */
  bodyLimit?: number
}

/** The schema from which Fastify infers the types of a handler. */
type SchemaOf<D extends RouteDescription> = (D extends { params: infer P extends TSchema } ? { params: P } : unknown) &
  (D extends { query: infer Q extends TSchema } ? { querystring: Q } : unknown) &
  (D extends { headers: infer H extends TSchema } ? { headers: H } : unknown) &
  (D extends { body: infer B extends TSchema } ? { body: B } : unknown) &
  (D extends { out: infer O } ? { response: O extends Answers ? O : { 200: O } } : unknown)

/** Refuses unknown members of a description, which a spread would hide. */
type Exact<D> = { [K in Exclude<keyof D, keyof RouteDescription>]: never }

/** Makes a function that describes routes of one section of the reference: `const route = routeIn('Segments')`, `app.get('/segments', route({ … }), handler)`. */
export function routeIn(tag: string) {
  return <const D extends RouteDescription>(described: D & Exact<D>) => {
    const { summary, description, params, query, headers, body, out, bodyLimit, ...config }: RouteDescription = described
    const schema = {
      tags: [tag],
      summary,
      description,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(body && { body }),
      ...(out && { response: areAnswers(out) ? out : { 200: out } }),
    }
    return { config, schema: schema as unknown as SchemaOf<D>, ...(bodyLimit !== undefined && { bodyLimit }) }
  }
}

function areAnswers(out: TSchema | Answers): out is Answers {
  return Object.keys(out).every((key) => /^\d{3}$/.test(key))
}
