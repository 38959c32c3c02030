/**
 * HOT PATH. From a request to finished bytes: an answer depends on few things (snapshot, schedule epoch,
 * locale, the device's targeted segments and variants), which make its signature; each signature is rendered
 * once. Serving is: signature, cache look-up, tag comparison, write.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { assignVariant } from '@contentflow/core/blocks/assign-variant.ts'
import { isOnAir, scheduleEpoch } from '@contentflow/core/blocks/select-blocks.ts'
import { clientHeaders } from '../../http/client-headers.ts'
import { etagOf } from '../../http/etag.ts'
import { hash32 } from '../../infra/crypto.ts'
import { RecentMap } from '../../infra/recent-map.ts'
import type { Environment } from '../../infra/signals.ts'
import { segmentsFor, type DeviceView } from './device-view.ts'
import { renderBlock, renderSync, type View } from './render.ts'
import { localeKeyOf, type SnapDefinition, type SnapInstance, type Snapshot } from './snapshot.ts'

/** Finished bytes with their headers as a flat list; only the caller's rate is added to a request's answer. */
export type Encoded = { body: Buffer; headers: string[] }
/** One finished answer. Compressed forms are made once, off the request path, by the first client that takes them. */
export type Answer = {
  etag: string
  /** Headers of every form, and of 304. */
  headers: string[]
  plain: Encoded
  gzip: Encoded | undefined
  br: Encoded | undefined
  isCompressing: boolean
}

/** An answer belongs to one key, device and language. */
const CACHE_HEADERS = ['cache-control', 'private, no-cache', 'vary', 'X-CF-Key, X-API-Key, X-CF-Device, Accept-Language, Accept-Encoding']

/** Bytes of finished answers held. */
const ANSWER_BYTES = 128 * 1024 * 1024
/** Below this a compressed form saves no packet. */
const COMPRESS_FROM_BYTES = 1_400

export class Answers {
  readonly #cache = new RecentMap<string, Answer>(ANSWER_BYTES, (answer) => answer.plain.body.length * 2 + 1_000)

  sync(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): Answer {
    const signature = signatureOf(snapshot, device, environment, tag, now)
    const answer = this.#cache.get(signature)
    return answer ?? this.#make(signature, environment, renderSync(snapshot, viewOf(snapshot, device, environment, tag, now)))
  }

  block(snapshot: Snapshot, definition: SnapDefinition, device: DeviceView, environment: Environment, tag: string, now: number): Answer {
    const name = `${signatureOf(snapshot, device, environment, tag, now)}|${definition.row.key}`
    const answer = this.#cache.get(name)
    return answer ?? this.#make(name, environment, renderBlock(snapshot, definition, viewOf(snapshot, device, environment, tag, now)))
  }

  #make(name: string, environment: Environment, text: string): Answer {
    const etag = etagOf(environment, text)
    const shared = [...CACHE_HEADERS, ...clientHeaders(environment)]
    const answer: Answer = {
      etag,
      headers: ['etag', etag, ...shared],
      plain: encoded(Buffer.from(text), etag, shared, undefined),
      gzip: undefined,
      br: undefined,
      isCompressing: false,
    }
    this.#cache.set(name, answer)
    return answer
  }
}

/** The form this client takes: compressed when it is ready, plain meanwhile. */
export function encodingFor(answer: Answer, accept: string | undefined): Encoded {
  if (accept === undefined || answer.plain.body.length < COMPRESS_FROM_BYTES) return answer.plain
  const coding = codingFor(accept)
  if (!coding) return answer.plain
  const ready = answer[coding]
  if (!ready) compress(answer)
  return ready ?? answer.plain
}

/** Headers seen so far and what they ask for; clients send few different ones. */
const codings = new RecentMap<string, 'br' | 'gzip' | 'none'>(1_000)

function codingFor(accept: string): 'br' | 'gzip' | undefined {
  let coding = codings.get(accept)
  if (!coding) {
    const parts = accept
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    const taken = new Set(parts.map((part) => part.split(';', 1)[0]?.trim()))
    coding = taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'none'
    codings.set(accept, coding)
  }
  return coding === 'none' ? undefined : coding
}

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

function compress(answer: Answer): void {
  if (answer.isCompressing) return
  answer.isCompressing = true
  const { body } = answer.plain
  const shared = answer.headers.slice(2)
  const tagged = (suffix: string) => answer.etag.replace(/"$/, `${suffix}"`)
  void Promise.all([gzipAsync(body, { level: 6 }), brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })]).then(
    ([zipped, brotli]) => {
      answer.gzip = encoded(zipped, tagged('-gz'), shared, 'gzip')
      answer.br = encoded(brotli, tagged('-br'), shared, 'br')
    },
  )
}

function encoded(body: Buffer, etag: string, shared: readonly string[], coding: 'gzip' | 'br' | undefined): Encoded {
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length), 'etag', etag, ...shared]
  if (coding) headers.push('content-encoding', coding)
  return { body, headers }
}

/** All an answer depends on, as text. Kept on the device's view, so a device that asks again pays three comparisons. */
function signatureOf(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): string {
  const epoch = scheduleEpoch(snapshot.boundaries, now)
  const localeKey = localeKeyOf(snapshot, tag)
  const segments = segmentsFor(device, environment, now)
  const isTargeted = segments.length > 0
  const { signed } = device
  if (
    signed &&
    signed.serial === snapshot.serial &&
    signed.environment === environment &&
    signed.epoch === epoch &&
    signed.localeKey === localeKey &&
    signed.isTargeted === isTargeted
  )
    return signed.signature
  const member = membership(snapshot, segments)
  const variants = snapshot.withVariants
    .filter((instance) => isOnAir(instance.startsAt, instance.endsAt, now) && (instance.target === -1 || member.has(instance.target)))
    .map((instance) => variantOf(instance, device.deviceId))
  const signature = `${snapshot.serial}|${environment}|${epoch}|${localeKey}|${[...member].sort((a, b) => a - b).join('.')}|${variants.join('.')}`
  device.signed = { serial: snapshot.serial, environment, epoch, localeKey, isTargeted, signature }
  return signature
}

/** What an answer for this device and moment is rendered with. */
export function viewOf(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): View {
  const member = membership(snapshot, segmentsFor(device, environment, now))
  return {
    localeKey: localeKeyOf(snapshot, tag),
    isIn: (target) => member.has(target),
    variantOf: (instance) => variantOf(instance, device.deviceId),
    now,
  }
}

/** A device's segments reduced to those that some instance targets. */
function membership(snapshot: Snapshot, segments: readonly string[]): Set<number> {
  const member = new Set<number>()
  for (const segment of segments) {
    const target = snapshot.targets.get(segment)
    if (target !== undefined) member.add(target)
  }
  return member
}

function variantOf(instance: SnapInstance, deviceId: string | undefined): number {
  return instance.weights.length === 0 ? -1 : assignVariant(instance.weights, deviceId, instance.row.id, hash32)
}
