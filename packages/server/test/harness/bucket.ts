/** A bucket that speaks S3: it works out each signature anew, from AWS's own description, and refuses what does not fit. */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const S3 = { bucket: 'files', region: 'eu-test-1', accessKey: 'KEYID', secretKey: 'of the tests/+' }

export type Bucket = {
  endpoint: string
  objects: Map<string, { bytes: Buffer; type: string }>
  /** What it was asked, as `PUT files/x`. */
  asked: string[]
  /** Answers 500 to everything. */
  isBroken: boolean
  close(): Promise<void>
}

/** `now`: the time by which addresses end. */
export async function openBucket(now: () => number): Promise<Bucket> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bucket: Bucket = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    asked: [],
    isBroken: false,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', bucket.endpoint)
    const method = request.method ?? ''
    const key = url.pathname.slice(1)
    bucket.asked.push(`${method} ${key}`)
    const fault = bucket.isBroken ? 500 : isSigned(request, url, now()) ? 0 : 403
    if (fault) {
      response.writeHead(fault).end('<Error/>')
      return
    }
    if (method === 'PUT') bucket.objects.set(key, { bytes: Buffer.concat(chunks), type: request.headers['content-type'] ?? '' })
    if (method === 'DELETE') bucket.objects.delete(key)
    if (method === 'PUT' || method === 'DELETE') {
      response.writeHead(method === 'PUT' ? 200 : 204).end()
      return
    }
    const found = bucket.objects.get(key)
    if (!found) {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
      return
    }
    response.writeHead(200, {
      'content-type': url.searchParams.get('response-content-type') ?? found.type,
      'content-disposition': url.searchParams.get('response-content-disposition') ?? 'inline',
      'content-length': found.bytes.length,
    })
    response.end(method === 'HEAD' ? undefined : found.bytes)
  }
  return bucket
}

/** Signature Version 4 with the payload unsigned, in the query. */
function isSigned({ method, headers }: IncomingMessage, url: URL, now: number): boolean {
  const query = Object.fromEntries(url.searchParams)
  const date = query['X-Amz-Date'] ?? ''
  const day = date.slice(0, 8)
  const scope = `${day}/${S3.region}/s3/aws4_request`
  const begins = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(now < begins + Number(query['X-Amz-Expires']) * 1000) || query['X-Amz-Credential'] !== `${S3.accessKey}/${scope}`) return false
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
  const names = (query['X-Amz-SignedHeaders'] ?? '').split(';')
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const canonical = `${method}\n${url.pathname}\n${pairs.toSorted().join('&')}\n${lines}\n${names.join(';')}\nUNSIGNED-PAYLOAD`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = sign(sign(sign(sign(`AWS4${S3.secretKey}`, day), S3.region), 's3'), 'aws4_request')
  return names.includes('host') && sign(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${digest}`).toString('hex') === query['X-Amz-Signature']
}
