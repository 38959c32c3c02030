import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { GeoLocation } from '../../infra/geo-ip.ts'
import { callerAddress, plainAddress } from './caller-address.ts'

/** The location of the caller, from the same address that the rate limits count (CF_TRUST_PROXY). */
export async function placeOf(ctx: Context, request: FastifyRequest): Promise<GeoLocation> {
  return ctx.geoIp.lookUp(plainAddress(callerAddress(request.raw, ctx.config.trustedProxies)))
}
