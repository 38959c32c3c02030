/** A provider of push messages that takes everything, as fast as node:http can; with `silent` it never answers one, with `slow` and a number it answers after so many milliseconds. Who started it with a channel is told of each. */
import { createServer } from 'node:http'

const TOKEN = JSON.stringify({ access_token: 'token', expires_in: 3_600 })
const TAKEN = JSON.stringify({ code: '80000000', msg: 'Success', requestId: '1' })

const [, , manner, slowMs] = process.argv

const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  const isMessage = !request.url.startsWith('/oauth2/')
  if (isMessage) process.send?.('message')
  request.resume().on('end', () => {
    if (isMessage && manner === 'silent') return
    const body = isMessage ? TAKEN : TOKEN
    const answer = () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    if (isMessage && manner === 'slow') setTimeout(answer, Number(slowMs))
    else answer()
  })
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.stdout.write(`listening ${server.address().port}\n`))
