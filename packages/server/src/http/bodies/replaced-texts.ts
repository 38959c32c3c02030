import type { FastifyRequest } from 'fastify'

/** For answers of routes that report (`ReplacedTexts`): only there when something was replaced (G-85). */
export function replacedTextsOf({ replacedTexts }: FastifyRequest): { replacedTexts?: number } {
  return replacedTexts > 0 ? { replacedTexts } : {}
}
