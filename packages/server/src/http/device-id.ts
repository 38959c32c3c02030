import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import { failWith } from '../errors.ts'
import { objectBody } from './body.ts'

/** C-HDR-03, C-HDR-04, A-45: the installation a client write is about; the header wins. 400 when none is named (C-ERR-03). */
export function deviceIdOf(request: FastifyRequest): string {
  return sentDeviceId(request) ?? failWith(400, 'device identification required')
}

/** The same where a device need not be named: undefined without one. */
export function sentDeviceId(request: FastifyRequest): string | undefined {
  return checked(request.headers['x-cf-device'] || objectBody(request)['deviceId'])
}

/** C-ERASE-01: from the header only. */
export function headerDeviceId(request: FastifyRequest): string {
  return checked(request.headers['x-cf-device']) ?? failWith(400, 'device identification required')
}

function checked(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id !== 'string' || id.length > LIMITS.deviceIdLength)
    failWith(400, `deviceId must be a string of 1 to ${LIMITS.deviceIdLength} characters`)
  return id
}
