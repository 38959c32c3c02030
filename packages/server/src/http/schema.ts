import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { LIMITS } from '@contentflow/core/limits.ts'
import { failWith } from '../errors.ts'
import { sentBody } from './body.ts'

export { Type, type Static, type TSchema }

// Bodies are taken as sent: coercing or stripping would change what a strict rule later compares.
const strict = new Ajv({ strict: false, allErrors: false, coerceTypes: false, removeAdditional: false, useDefaults: false })
// Query strings hold only text, so numbers and booleans in them are read.
const lenient = new Ajv({ strict: false, allErrors: false, coerceTypes: true, useDefaults: true })
const compiled = new WeakMap<TSchema, ValidateFunction>()

/** The body, checked against `schema`. Called by the handler after it has checked existence, because 404 comes before 400 (G-04). */
export function bodyOf<T extends TSchema>(request: FastifyRequest, schema: T): Static<T> {
  const body = sentBody(request)
  check(strict, schema, body, 'body')
  return body as Static<T>
}

/** The query string, checked and with its numbers read. */
export function queryOf<T extends TSchema>(request: FastifyRequest, schema: T): Static<T> {
  const query = { ...(request.query as object) }
  check(lenient, schema, query, 'query')
  return query as Static<T>
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

// Building blocks of route schemas.

/** A success envelope around `data`. */
export const Ok = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })
/** What `partial` answers. */
export const Partial = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(false), error: Type.String(), code: Type.String(), data: Type.Optional(data) })
export const Page = <T extends TSchema>(name: string, item: T) =>
  Type.Object({
    success: Type.Literal(true),
    data: Type.Object({ [name]: Type.Array(item) }),
    metadata: Type.Object({ total: Type.Integer(), nextCursor: Nullable(Type.String()) }),
  })
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })
export const EnvironmentName = Type.Enum(['live', 'test'])
export const Deleted = Ok(Type.Object({ deleted: Type.Literal(true) }))
export const Empty = Type.Object({})

/** Paging of management lists (G-04). */
export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: LIMITS.pageSizeMax, default: LIMITS.pageSize }),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`metadata.nextCursor` of the page before' })),
})
