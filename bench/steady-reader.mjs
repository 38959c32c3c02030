/**
 * Sends GETs at a steady pace, whether or not earlier ones are answered, and times each from sending it to its
 * last byte. Spoken to over IPC: {type: 'read', port, paths, key, perSecond, seconds} gives milliseconds.
 */
import { connect } from 'node:net'

const now = () => Number(process.hrtime.bigint()) / 1e6

process.on('message', (message) => {
  read(message).then(
    (times) => process.send({ times }),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function read({ port, paths, key, perSecond, seconds }) {
  const total = perSecond * seconds
  const times = []
  const idle = []
  const sockets = []
  const { promise, resolve, reject } = Promise.withResolvers()

  const dial = () => {
    const state = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), text: '', sentAt: 0 }
    sockets.push(state.socket)
    state.socket.setEncoding('latin1')
    state.socket.on('error', reject)
    state.socket.on('data', (chunk) => {
      state.text += chunk
      const head = /^HTTP\/1\.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(state.text)
      if (!head || state.text.length < head[0].length + Number(head[2])) return
      if (head[1] !== '200') reject(new Error(`A read was answered ${head[1]}`))
      times.push(now() - state.sentAt)
      state.text = ''
      idle.push(state)
      if (times.length === total) resolve()
    })
    return state
  }

  const began = now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((now() - began) / 1000) * perSecond))
    while (sent < due) {
      const state = idle.pop() ?? dial()
      state.sentAt = now()
      state.socket.write(`GET ${paths[sent++ % paths.length]} HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${key}\r\n\r\n`)
    }
  }, 1)
  await promise.finally(() => clearInterval(timer))
  for (const socket of sockets) socket.destroy()
  return times
}
