/**
 * A mailbox to try things with: a server of mail that takes everything and prints it. For one's own machine only; it
 * checks no password and encrypts nothing.
 *
 *   node examples/mailbox.mjs        PORT is 2525 unless set
 */
import { createServer } from 'node:net'

const port = Number(process.env.PORT ?? 2525)

const server = createServer((socket) => {
  let waiting = ''
  let isData = false
  const reply = (line) => socket.write(`${line}\r\n`)
  const take = (line) => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'DATA') {
      isData = true
      return reply('354 Go on')
    }
    if (word === 'QUIT') return socket.end('221 Bye\r\n')
    return reply('250 OK')
  }
  socket.setEncoding('utf8').on('error', () => socket.destroy())
  socket.on('data', (text) => {
    waiting += text
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = waiting.indexOf(end)
      if (at < 0) return
      const line = waiting.slice(0, at)
      waiting = waiting.slice(at + end.length)
      if (!isData) take(line)
      else {
        isData = false
        process.stdout.write(`${line}\n${'-'.repeat(60)}\n`)
        reply('250 Taken')
      }
    }
  })
  reply('220 mailbox')
})
server.listen(port, '127.0.0.1', () => process.stdout.write(`Mail to 127.0.0.1:${port} is printed here\n`))
