import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import { failWith } from '../../errors.ts'
import { objectBody } from '../bodies/body.ts'

/** C-HDR-03, C-HDR-04, A-45: the installation a client write is about; the header wins. 400 when none is named (C-ERR-03). */
export function deviceIdOf(request: FastifyRequest): string {
  return sentDeviceId(request) ?? failWith(400, 'device identification required')
}

/** The same for routes where a device need not be named: undefined without one. */
export function sentDeviceId(request: FastifyRequest): string | undefined {
  return checked(deviceHeader(request.headers) || objectBody(request)['deviceId'])
}

/** C-ERASE-01: the device id, from the header only. */
export function headerDeviceId(request: FastifyRequest): string {
  return checked(deviceHeader(request.headers)) ?? failWith(400, 'device identification required')
}

/** Whether a header reads the same in whatever encoding it was meant. */
export function isAscii(header: string | string[] | undefined): boolean {
  return typeof header !== 'string' || /^[\0-\x7f]*$/.test(header)
}

/** `X-CF-Device` as it was sent: Node reads headers as latin1, and an id is UTF-8 as in a body. */
function deviceHeader(headers: IncomingHttpHeaders): string | undefined {
  const id = decoded(headers)
  return id === null ? failWith(400, 'X-CF-Device must be in UTF-8') : id
}

/** The device header of reads, where an id that is not valid counts as unknown (C-SYNC-22). */
export function readDeviceHeader(headers: IncomingHttpHeaders): string | undefined {
  return decoded(headers) ?? undefined
}

/** Null for what is not UTF-8. */
function decoded(headers: IncomingHttpHeaders): string | undefined | null {
  const header = headers['x-cf-device']
  if (typeof header !== 'string' || isAscii(header)) return header as string | undefined
  const bytes = Buffer.from(header, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : null
}

function checked(id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id !== 'string' || id.length > LIMITS.deviceIdLength)
    failWith(400, `deviceId must be a string of 1 to ${LIMITS.deviceIdLength} characters`)
  return id
}
