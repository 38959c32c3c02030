/**
 * The limit: node:http and nothing else. `replay FILE` sends each device the answer recorded for it
 * ({status, headers, body, etag}, with byDevice: {id: {headers, body, etag}} for those that differ); `streams FILE` holds streams with the recorded headers and writes one frame to all upon a POST.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [mode, file] = process.argv.slice(2)
const { status, headers, body, etag, byDevice = {} } = JSON.parse(readFileSync(file, 'utf8'))
const FRAME = Buffer.from('id: 1234567\nevent: block.updated\ndata: {}\n\n')
const streams = new Set()

const modes = {
  replay: () => {
    const answers = new Map(Object.entries(byDevice).map(([id, answer]) => [id, { ...answer, bytes: Buffer.from(answer.body) }]))
    const common = { headers, etag, bytes: Buffer.from(body) }
    const answerTo = (request) => answers.get(request.headers['x-cf-device']) ?? common
    if (status !== 304) {
      return (request, response) => {
        const answer = answerTo(request)
        response.writeHead(status, answer.headers).end(answer.bytes)
      }
    }
    return (request, response) => {
      const answer = answerTo(request)
      response.writeHead(request.headers['if-none-match'] === answer.etag ? 304 : 500, answer.headers).end()
    }
  },
  streams: () => (request, response) => {
    if (request.method === 'POST') {
      for (const stream of streams) stream.write(FRAME)
      response.end()
      return
    }
    response.writeHead(200, headers)
    response.write(': connected\n\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
  },
}

// The times are the product's, so that the Keep-Alive header is the same too.
const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 }, modes[mode]())
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.stdout.write(`listening ${server.address().port}\n`))
