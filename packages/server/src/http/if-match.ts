import type { FastifyRequest } from 'fastify'
import { failWith } from '../errors.ts'
import { Type } from './schema.ts'

/** Headers of a change that may say which version it was made from. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The version you read; another one now is 412 and nothing is saved', examples: ['"3"'] }),
  ),
})

/** `If-Match: "3"`, also unquoted or weak; `*` and no header expect nothing. */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  const text = header.replace(/^\s*(?:W\/)?|\s*$/g, '').replace(/^"(.*)"$/, '$1')
  return /^\d{1,9}$/.test(text) ? Number(text) : failWith(412, 'If-Match must be the version you read, such as "3"')
}
