import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** Where this server is reached, without a slash at its end: as configured, else as the request was sent. Whoever lies about that only gets addresses that are no use to them. */
export function publicUrl({ config }: Context, request: FastifyRequest): string {
  const { publicUrl: configured } = config
  if (configured !== '') return configured
  const isSecure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  return `${isSecure ? 'https' : 'http'}://${request.host}`
}
