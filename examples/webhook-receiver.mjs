/**
 * A receiver of ContentFlow's webhooks: `WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs`. Prints a line for
 * each event. What matters in any language: check the signature over the raw bytes before reading them, compare in
 * constant time, refuse what is older than five minutes, and do nothing twice.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { WEBHOOK_SECRET: secret = '', PORT: port = '9009' } = process.env
if (secret === '') throw new Error('WEBHOOK_SECRET is not set')
const [LONGEST_SECONDS, LARGEST_BYTES, DAY] = [300, 1_000_000, 86_400_000]
/** Deliveries that were taken, and when. Several receivers would share a table instead. */
const taken = new Map()

const server = createServer((request, response) => {
  receive(request).then(
    ([status, words]) => response.writeHead(status, { 'content-type': 'text/plain' }).end(words),
    () => response.destroy(),
  )
})

async function receive(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > LARGEST_BYTES) return [413, 'too large']
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const { 'x-cf-timestamp': timestamp = '', 'x-cf-signature': signature = '' } = request.headers
  if (!isSigned(timestamp, body, signature)) return [401, 'wrong signature']
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= LONGEST_SECONDS)) return [400, 'too old']
  // The id in the signed body, not the one in a header that anybody could write.
  const event = JSON.parse(body)
  for (const [id, at] of taken) if (Date.now() - at > DAY) taken.delete(id)
  if (taken.has(event.id)) return [200, 'known']
  taken.set(event.id, Date.now())
  // Keep the event and answer at once: what takes long, or may fail, comes afterwards.
  process.stdout.write(`${JSON.stringify(event)}\n`)
  return [200, 'taken']
}

function isSigned(timestamp, body, signature) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`)
  const sent = Buffer.from(signature)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`))
