/**
 * Clients that each hold a stream and read /sync whenever it tells them to. Spoken to over IPC; times are milliseconds.
 * {type: 'open', port, key, count}: opens the streams; each client reads once.
 * {type: 'publish', request, text}: from sending the publish until the last client has read an answer with the text.
 */
import { connect } from 'node:net'

/** Streams being opened at a time. */
const WIDTH = 100
/** What all clients read over, as through a load balancer. */
const CONNECTIONS = 500
const LIMIT_MS = 60_000

/** One for all streams: what is read is looked at before the next read. */
const buffer = Buffer.alloc(64 * 1024)
const idle = []
/** Numbers of clients that are to read. */
const due = []
let port
let key
let clients = 0
let trigger
/** What is waited for; `text` is of the newest content. */
let round = { text: '', left: new Set(), lastHeard: 0, current: [], finish: () => {}, fail: () => {} }

const now = () => Number(process.hrtime.bigint()) / 1e6

process.on('message', (message) => {
  const work = message.type === 'open' ? open(message) : publish(message)
  work.then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function open({ count, ...server }) {
  port = server.port
  key = server.key
  const worker = async () => {
    while (clients < count) await openStream(clients++)
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
  for (let i = 0; i < CONNECTIONS; i++) idle.push(dialReader())
  const done = begin('')
  for (let number = 0; number < clients; number++) due.push(number)
  readNext()
  await done
  return {}
}

async function publish({ request, text }) {
  trigger ??= await dial()
  const done = begin(text)
  const answered = new Promise((resolve) => trigger.once('data', (chunk) => resolve({ at: now(), head: chunk.toString('latin1', 0, 12) })))
  const sent = now()
  const wallClock = Date.now()
  trigger.write(request)
  const [{ at, head }] = await Promise.all([answered, done])
  if (!head.endsWith(' 200')) throw new Error(`The publish was answered ${head}`)
  return { began: wallClock, answered: at - sent, heard: round.lastHeard - sent, current: round.current.map((time) => time - sent) }
}

/** Resolves once every client has read the text. */
function begin(text) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${round.left.size} clients are not current`)), LIMIT_MS)
    const end = (settle) => (value) => {
      clearTimeout(timer)
      settle(value)
    }
    round = {
      text,
      left: new Set(Array.from({ length: clients }, (_, number) => number)),
      lastHeard: 0,
      current: [],
      finish: end(resolve),
      fail: end(reject),
    }
  })
}

/** Resolves once the stream has greeted. */
function openStream(number) {
  return new Promise((resolve, reject) => {
    let isGreeted = false
    const onData = (length) => {
      const text = buffer.latin1Slice(0, length)
      if (!isGreeted) {
        if (!text.startsWith('HTTP/1.1 200')) reject(new Error(`A stream was refused: ${text.slice(0, 200)}`))
        isGreeted = true
        resolve()
      }
      if (text.includes('event:')) {
        round.lastHeard = now()
        due.push(number)
        readNext()
      }
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: onData } })
    const end = () => {
      reject(new Error('A stream ended'))
      round.fail(new Error('A stream ended during a publish'))
    }
    socket.once('error', end).once('close', end)
    socket.write(`GET /sdk/v1/stream HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${key}\r\n\r\n`)
  })
}

function readNext() {
  while (due.length > 0 && idle.length > 0) {
    const reader = idle.pop()
    reader.number = due.pop()
    reader.socket.write(`GET /sdk/v1/sync HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${key}\r\nX-CF-Device: device-${reader.number}\r\n\r\n`)
  }
}

function dialReader() {
  const reader = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), text: '', number: 0 }
  reader.socket.setEncoding('latin1')
  reader.socket.on('error', (error) => round.fail(error))
  reader.socket.on('data', (chunk) => {
    reader.text += chunk
    const head = /^HTTP\/1\.1 (\d+)[^]*?content-length: (\d+)[^]*?\r\n\r\n/i.exec(reader.text)
    if (!head || reader.text.length < head[0].length + Number(head[2])) return
    if (head[1] !== '200') return round.fail(new Error(`A read was answered ${reader.text}`))
    // Content of before the publish cannot come: the signal follows it.
    if (!reader.text.includes(round.text)) return round.fail(new Error('A client was told and read what is old'))
    reader.text = ''
    idle.push(reader)
    // Told twice it reads twice, and counts once.
    if (round.left.delete(reader.number)) round.current.push(now())
    if (round.left.size === 0) round.finish()
    readNext()
  })
  return reader
}

function dial() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}
