import { createHmac, timingSafeEqual } from 'node:crypto'

/** One thing that happened, as a webhook tells it. `data` depends on `event`; the pages of the product list both. */
export type WebhookDelivery = {
  /** The same when it is sent again: do nothing twice. */
  id: string
  event: string
  tenantId: string
  /** ISO 8601. */
  occurredAt: string
  data: Readonly<Record<string, unknown>>
}

/** Those of Node's `request.headers`, or of a `Request`. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null }

export type WebhookOptions = {
  /** Of the endpoint; the one of before too while it is being changed. */
  secret: string | readonly string[]
  /** The bytes as they came, before anything has read them as JSON. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /** What is older, or further ahead, is refused; 300 when left out. */
  toleranceSeconds?: number
  /** Milliseconds since 1970. */
  now?: number
}

/**
 * Checks who sent a delivery and returns it. Throws a `TypeError` for whatever is not signed with the secret, is too old, or is no
 * delivery: answer such a request with 401 and do nothing.
 */
export function verifyWebhook({ secret, body, headers, toleranceSeconds = 300, now = Date.now() }: WebhookOptions): WebhookDelivery {
  const timestamp = headerOf(headers, 'x-cf-timestamp')
  const signature = Buffer.from(headerOf(headers, 'x-cf-signature'))
  const isSigned = [secret].flat().some((each) => {
    const expected = Buffer.from(`sha256=${createHmac('sha256', each).update(`${timestamp}.`).update(body).digest('hex')}`)
    return each !== '' && expected.length === signature.length && timingSafeEqual(expected, signature)
  })
  if (!isSigned) throw new TypeError('the signature of the webhook is wrong')
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) throw new TypeError('the webhook is too old')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const read = JSON.parse(text) as Partial<WebhookDelivery> | null
  if (typeof read?.id !== 'string' || typeof read.event !== 'string') throw new TypeError('the webhook is no delivery')
  return read as WebhookDelivery
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isReader(headers) ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}

function isReader(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get' as never] === 'function'
}
