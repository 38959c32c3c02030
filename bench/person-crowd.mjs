/**
 * A crowd that writes about one person over and over: each connection sends its next request when the last one is answered,
 * whatever the answer is. Spoken to over IPC: {type: 'crowd', port, requests, connections, seconds}, where a request is its
 * bytes as text, gives {statuses}: how many answers had which status.
 */
import { connect } from 'node:net'

process.on('message', (message) => {
  crowd(message).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function crowd({ port, requests, connections, seconds }) {
  const statuses = {}
  const sockets = []
  let sent = 0
  const { promise, resolve, reject } = Promise.withResolvers()
  const timer = setTimeout(() => resolve(), seconds * 1000)
  for (let i = 0; i < connections; i++) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let text = ''
    socket.setEncoding('latin1').on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk
      const head = /^HTTP\/1\.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(text)
      if (!head || text.length < head[0].length + Number(head[2])) return
      statuses[head[1]] = (statuses[head[1]] ?? 0) + 1
      text = ''
      socket.write(requests[sent++ % requests.length])
    })
    socket.write(requests[sent++ % requests.length])
    sockets.push(socket)
  }
  await promise.finally(() => clearTimeout(timer))
  for (const socket of sockets) socket.destroy()
  return { statuses }
}
