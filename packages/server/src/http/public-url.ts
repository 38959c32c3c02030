import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

/** The address of this server, without a slash at its end: as configured, else as the request was sent. A client that forges it only gets addresses that are of no use to it. */
export function publicUrl({ config }: Context, request: FastifyRequest): string {
  const { publicUrl: configured } = config
  if (configured !== '') return configured
  const isSecure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  return `${isSecure ? 'https' : 'http'}://${request.host}`
}
