/** AWS Signature Version 4 in the query of an address: whoever has the address may make that one request until it expires. */
import { createHmac, hash } from 'node:crypto'
import type { S3Config } from '../../config.ts'

type Request = {
  method: string
  key: string
  seconds: number
  query: Record<string, string>
  /** Headers that the request has to carry exactly like this. */
  headers: Record<string, string>
  now: Date
}

/** The bucket stands in the path, which every store understands. */
export function presign(s3: S3Config, { method, key, seconds, query, headers, now }: Request): string {
  const url = new URL(`${s3.endpoint}/${s3.bucket}/${key}`)
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${s3.region}/s3/aws4_request`
  const signed = Object.entries({ host: url.host, ...headers }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const params = Object.entries({
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${s3.accessKey}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': names,
  })
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byName)
    .map((pair) => pair.join('='))
    .join('&')
  const path = url.pathname.split('/').map(encodeSegment).join('/')
  const head = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = [method, path, params, head, names, 'UNSIGNED-PAYLOAD'].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical, 'hex')].join('\n')
  const signature = hmac(signingKey(s3, scope), text).toString('hex')
  return `${url.origin}${path}?${params}&X-Amz-Signature=${signature}`
}

function signingKey({ secretKey }: S3Config, scope: string): Buffer {
  return scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretKey}`))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function encodeSegment(segment: string): string {
  return encode(decodeURIComponent(segment))
}

/** All but unreserved characters, as the signature asks for it. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}
