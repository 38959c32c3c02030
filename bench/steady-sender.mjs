/**
 * Sends requests at a steady pace, whether or not earlier ones are answered, and times each from sending it to its
 * last byte. Spoken to over IPC: {type: 'send', port, requests, perSecond, seconds}, where a request is its bytes as
 * text, gives {times, began}: milliseconds of each in the order sent, and when by the wall clock the first was.
 */
import { connect } from 'node:net'

const now = () => Number(process.hrtime.bigint()) / 1e6

process.on('message', (message) => {
  send(message).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function send({ port, requests, perSecond, seconds }) {
  const total = perSecond * seconds
  const times = []
  let answered = 0
  const idle = []
  const sockets = []
  const { promise, resolve, reject } = Promise.withResolvers()

  const dial = () => {
    const state = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), text: '', number: 0, sentAt: 0 }
    sockets.push(state.socket)
    state.socket.setEncoding('latin1')
    state.socket.on('error', reject)
    state.socket.on('data', (chunk) => {
      state.text += chunk
      const head = /^HTTP\/1\.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(state.text)
      if (!head || state.text.length < head[0].length + Number(head[2])) return
      if (!head[1].startsWith('2')) reject(new Error(`A request was answered ${state.text}`))
      times[state.number] = now() - state.sentAt
      state.text = ''
      idle.push(state)
      if (++answered === total) resolve()
    })
    return state
  }

  const began = now()
  const wallClock = Date.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((now() - began) / 1000) * perSecond))
    while (sent < due) {
      const state = idle.pop() ?? dial()
      state.sentAt = now()
      state.number = sent++
      state.socket.write(requests[state.number % requests.length])
    }
  }, 1)
  await promise.finally(() => clearInterval(timer))
  for (const socket of sockets) socket.destroy()
  return { times, began: wallClock }
}
