import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'

/** Where routes are added: what a handler is given and may answer is typed by the schemas of its route. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The one export of a module's `routes.ts`: what it serves under which root, made of what was opened for the process. */
export type ModuleRoutes<Opened> = {
  /** For applications and build pipelines; mounted under both client roots (G-15). */
  client?(app: Routes, opened: Opened): void
  /** For people, build pipelines, servers and the operator. */
  management?(app: Routes, opened: Opened): void
}
