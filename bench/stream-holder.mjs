/**
 * Holds open streams over raw sockets and times what they are told. Spoken to over IPC:
 * {type: 'open', port, request, count} and {type: 'publish', port, request}; times are milliseconds.
 */
import { connect } from 'node:net'

/** Sockets being opened at a time. */
const WIDTH = 100
const LIMIT_MS = 30_000

const sockets = []
/** One for all sockets: what is read is looked at before the next read. */
const buffer = Buffer.alloc(64 * 1024)
let trigger
/** The publish under way. */
let told = { round: 0, left: 0, times: [], finish: () => {} }

const now = () => Number(process.hrtime.bigint()) / 1e6

process.on('message', (message) => {
  const work = message.type === 'open' ? open(message) : publish(message)
  work.then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function open({ port, request, count }) {
  const began = now()
  let left = count
  const worker = async () => {
    while (left-- > 0) sockets.push(await openOne(port, request))
  }
  await Promise.all(Array.from({ length: WIDTH }, worker))
  return { milliseconds: now() - began }
}

/** Resolves once the stream has greeted. */
function openOne(port, request) {
  return new Promise((resolve, reject) => {
    let round = 0
    let isGreeted = false
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (length) => {
          if (!isGreeted) {
            const text = buffer.latin1Slice(0, length)
            if (!text.startsWith('HTTP/1.1 200')) reject(new Error(`A stream was refused: ${text.slice(0, 200)}`))
            isGreeted = true
            resolve(socket)
          }
          if (round !== told.round && buffer.subarray(0, length).includes('event:')) {
            round = told.round
            told.times.push(now())
            if (--told.left === 0) told.finish()
          }
          return true
        },
      },
    })
    const end = () => {
      reject(new Error('A stream ended'))
      if (told.left > 0) told.finish(new Error('A stream ended during a publish'))
    }
    socket.once('error', end).once('close', end)
    socket.write(request)
  })
}

/** From sending the publish to the last stream's signal, and to the publish's own answer. */
async function publish({ port, request }) {
  trigger ??= await dial(port)
  const signalled = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${told.left} streams heard nothing`)), LIMIT_MS)
    const finish = (error) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    }
    told = { round: told.round + 1, left: sockets.length, times: [], finish }
  })
  const answered = new Promise((resolve) => trigger.once('data', (chunk) => resolve({ at: now(), head: chunk.toString('latin1', 0, 12) })))
  const sent = now()
  trigger.write(request)
  const [{ at, head }] = await Promise.all([answered, sockets.length > 0 && signalled])
  if (!head.endsWith(' 200')) throw new Error(`The publish was answered ${head}`)
  const { times } = told
  const since = (time) => (time === undefined ? undefined : time - sent)
  return { answered: at - sent, first: since(times[0]), last: since(times.at(-1)) }
}

function dial(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}
