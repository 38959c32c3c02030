/**
 * Receivers of webhooks, each with a port of its own: `node webhook-receivers.mjs 20 2` opens 20, of which the last 2 never
 * answer. Prints their ports. Over IPC {type: 'delays'} gives, of those that answer, the milliseconds from each event to
 * its first arrival; an event that arrives again counts once.
 */
import { createServer } from 'node:http'

const [all, silent] = process.argv.slice(2).map(Number)
const delays = new Map()

function receive(request, response, { isSilent, port }) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (isSilent) return
    const { id, occurredAt } = JSON.parse(Buffer.concat(chunks))
    const key = `${port} ${id}`
    if (!delays.has(key)) delays.set(key, Date.now() - Date.parse(occurredAt))
    response.writeHead(200, { 'content-length': 0 }).end()
  })
}

async function open(_, number) {
  const about = { isSilent: number >= all - silent, port: 0 }
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => receive(request, response, about))
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve))
  about.port = server.address().port
  return about.port
}

const ports = await Promise.all(Array.from({ length: all }, open))
process.stdout.write(`listening ${ports.join(' ')}\n`)
process.on('message', () => process.send({ delays: [...delays.values()] }))
process.on('disconnect', () => process.exit())
