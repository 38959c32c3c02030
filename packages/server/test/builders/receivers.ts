/** Receivers of webhooks: one that keeps what it was sent and answers as it is told, and the one of the examples. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { WEBHOOK_BODIES } from '../../src/http/openapi/webhooks.ts'
import { until } from '../harness/until.ts'

export type Received = { headers: IncomingHttpHeaders; raw: string; event: any }
export type Receiver = {
  url: string
  received: Received[]
  /** The next answers; afterwards 200. `hang`: none at all. */
  answers: (number | 'hang' | ((response: ServerResponse) => void))[]
  /** Resolves when so many were received. */
  waitFor(count: number): Promise<Received[]>
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const wrong: string[] = []
  const answers: Receiver['answers'] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString()
    const event = JSON.parse(raw)
    wrong.push(...faultsOf(event))
    received.push({ headers: request.headers, raw, event })
    const answer = answers.shift() ?? 200
    if (answer === 'hang') return
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer).end(`answered ${answer}`)
  }
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    waitFor: async (count) => {
      await until(
        `${count} deliveries`,
        () => received.length >= count,
        () => `but ${received.length}`,
      )
      assert.deepEqual(wrong, [], 'what is sent is what the reference describes')
      return received
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)

/** What of a delivery is not as the OpenAPI document describes it. */
function faultsOf(sent: { event: string }): string[] {
  const { event } = sent
  const schema = WEBHOOK_BODIES[event]
  if (schema === undefined) return [`${event} is not described`]
  const fits = ajv.compile(schema)
  return fits(sent) ? [] : [`${event}: ${ajv.errorsText(fits.errors)}`]
}

export function isRightlySigned({ headers, raw }: Received, secret: string): boolean {
  const expected = createHmac('sha256', secret)
    .update(`${String(headers['x-cf-timestamp'])}.${raw}`)
    .digest('hex')
  return headers['x-cf-signature'] === `sha256=${expected}`
}

const EXAMPLE = fileURLToPath(new URL('../../../../examples/webhook-receiver.mjs', import.meta.url))

/** The example as a process of its own. `lines`: the events it took. */
export async function startExample(secret: string): Promise<{ url: string; lines: any[]; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [EXAMPLE], { env: { WEBHOOK_SECRET: secret, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  await until('the example listens', () => said.includes('\n'))
  return {
    url: /http:\S+/.exec(said)?.[0] ?? '',
    get lines() {
      return said
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line))
    },
    stop: async () => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill()
      await closed
    },
  }
}
