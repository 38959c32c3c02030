import type { FastifyRequest } from 'fastify'
import { Type } from '../schema.ts'

/** For answers of routes that report: a member that is only there when something was replaced (G-85). */
export const ReplacedTexts = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Texts that had a NUL or half of a surrogate pair, in whose place there is U+FFFD' }),
)

export function replacedTextsOf({ replacedTexts }: FastifyRequest): { replacedTexts?: number } {
  return replacedTexts > 0 ? { replacedTexts } : {}
}
