/** A server of names for tests: it knows the TXT records that it is given (RFC 1035), and no other name. */
import { createSocket } from 'node:dgram'

export type NameServer = {
  /** As `CF_DNS_SERVERS` takes it. */
  address: string
  /** By name in small letters; a name without records is not known. */
  texts: Map<string, string[]>
  asked: string[]
  close(): Promise<void>
}

const TXT = 16
const [NO_ERROR, UNKNOWN_NAME] = [0, 3]

export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const texts: NameServer['texts'] = new Map()
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    const found = type === TXT ? texts.get(name) : undefined
    socket.send(answer(query, end, found ?? []), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answer(query: Buffer, end: number, texts: readonly string[]): Buffer {
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (texts.length === 0 ? UNKNOWN_NAME : NO_ERROR), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(texts.length, 6)
  return Buffer.concat([head, query.subarray(12, end), ...texts.map(record)])
}

/** A text is cut into strings of at most 255 bytes. */
function record(text: string): Buffer {
  const bytes = Buffer.from(text)
  const strings: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    strings.push(Buffer.from([part.length]), part)
  }
  const data = Buffer.concat(strings)
  // The name of the question, TXT, of the internet, for no time.
  const head = Buffer.from([0xc0, 0x0c, 0, TXT, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
