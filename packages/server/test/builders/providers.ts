/** Stand-ins of providers: each judges a call as the real one would, keeps what it took, and answers as it is told. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2Server } from 'node:http2'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export type Taken = { path: string; headers: IncomingHttpHeaders; raw: string; body: any }
export type Judged = { status: number; headers?: Record<string, string>; body?: object | string }
/** Undefined: it is taken, and `answer` is what the provider then says. */
export type Judge = (call: Taken) => Judged | undefined

export type ProviderStub = {
  url: string
  /** What was taken; what was refused is not in it. */
  taken: Taken[]
  /** Answers instead, once each. `cut`: the connection ends without one. */
  next: (Judged | 'cut')[]
  close(): Promise<void>
}

type Answering = { judge: Judge; answer(call: Taken): Judged }

export async function openProvider({ judge, answer }: Answering): Promise<ProviderStub> {
  const server = createServer()
  return serve(server, { judge, answer }, 'http')
}

/** As APNs is: HTTP/2 alone. `tls`: the certificate and its key. */
export async function openHttp2Provider(answering: Answering, tls: { cert: string; key: string }): Promise<ProviderStub> {
  return serve(createSecureServer({ ...tls, allowHTTP1: false }), answering, 'https')
}

async function serve(server: ReturnType<typeof createServer> | Http2Server, { judge, answer }: Answering, scheme: string) {
  const taken: Taken[] = []
  const next: ProviderStub['next'] = []
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void receive(request).then((call): void => {
      const judged = judge(call)
      if (!judged) taken.push(call)
      const said = next.shift() ?? judged ?? answer(call)
      if (said === 'cut') {
        request.socket.destroy()
        return
      }
      const isText = typeof said.body === 'string' || said.body === undefined
      response.writeHead(said.status, { ...(!isText && { 'content-type': 'application/json' }), ...said.headers })
      response.end(isText ? (said.body as string | undefined) : JSON.stringify(said.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    next,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function receive(request: IncomingMessage): Promise<Taken> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks).toString()
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const body: unknown = raw === '' ? undefined : isForm ? Object.fromEntries(new URLSearchParams(raw)) : JSON.parse(raw)
  return { path: request.url ?? '', headers: request.headers, raw, body }
}

/** The claims of a token that this key signed; undefined when it did not. */
export function claimsOf(token: string, key: KeyObject, algorithm: 'RS256' | 'ES256'): { header: any; claims: any } | undefined {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  if (read(header).alg !== algorithm) return undefined
  const signed = { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' } as const
  const isRight = verify('sha256', Buffer.from(`${header}.${claims}`), signed, Buffer.from(signature, 'base64url'))
  return isRight ? { header: read(header), claims: read(claims) } : undefined
}

// --- mail ---

export type MailStub = {
  port: number
  mails: { from: string; to: string[]; data: string; user: string | undefined }[]
  /** Said instead of the usual answer, once, to the command that begins like this; `cut` ends the connection. */
  next: Map<string, string>
  connections: number
  /** Ends a connection after so many mails, when it is asked for the next one. */
  /** What is said of an address instead of taking it. */
  refusalOf(address: string): string | undefined
  closeAfter: number
  close(): Promise<void>
}

/** With `password` nobody sends without it; with `tls` the connection is encrypted from its beginning. */
type MailOptions = { password?: string; tls?: { cert: string; key: string } }

/** A server of mail as RFC 5321 has it. */
export async function openMailServer({ password, tls }: MailOptions = {}): Promise<MailStub> {
  const sockets = new Set<Socket>()
  const stub: MailStub = {
    port: 0,
    mails: [],
    next: new Map(),
    connections: 0,
    closeAfter: Infinity,
    refusalOf: () => undefined,
    close: async () => {},
  }
  const greet = (socket: Socket) => {
    sockets.add(socket)
    stub.connections++
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    converse(socket, stub, password)
    socket.write('220 mail.test ESMTP\r\n')
  }
  const server = tls ? createTlsServer(tls, greet) : createTcpServer(greet)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stub.port = (server.address() as AddressInfo).port
  stub.close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return stub
}

function converse(socket: Socket, stub: MailStub, password: string | undefined): void {
  let waiting = ''
  let isData = false
  let taken = 0
  let user: string | undefined
  let mail = { from: '', to: [] as string[], data: '' }
  const reply = (command: string, usual: string) => {
    const asked = [...stub.next.keys()].find((begin) => command.toUpperCase().startsWith(begin))
    const said = asked === undefined ? usual : (stub.next.get(asked) ?? usual)
    if (asked !== undefined) stub.next.delete(asked)
    if (said === 'cut') return socket.destroy()
    return socket.write(`${said}\r\n`)
  }
  const command = (line: string) => {
    const word = line.split(' ')[0]?.toUpperCase()
    if (word === 'EHLO') return reply(line, password === undefined ? '250 mail.test' : '250-mail.test\r\n250 AUTH PLAIN')
    if (word === 'AUTH') {
      const [, name, given] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\u0000')
      if (given !== password) return reply(line, '535 5.7.8 Authentication credentials invalid')
      user = name
      return reply(line, '235 2.7.0 Accepted')
    }
    if (password !== undefined && user === undefined && word !== 'QUIT') return reply(line, '530 5.7.0 Authentication required')
    if (word === 'MAIL' && taken >= stub.closeAfter) return socket.destroy()
    if (word === 'MAIL') mail = { from: /<(.*?)>/.exec(line)?.[1] ?? '', to: [], data: '' }
    const to = word === 'RCPT' ? (/<(.*?)>/.exec(line)?.[1] ?? '') : undefined
    const refused = to === undefined ? undefined : stub.refusalOf(to)
    if (refused !== undefined) return reply(line, refused)
    if (to !== undefined) mail.to.push(to)
    if (word === 'QUIT') return socket.end('221 bye\r\n')
    if (!['MAIL', 'RCPT', 'DATA', 'RSET'].includes(word ?? '')) return reply(line, '502 5.5.1 Unknown command')
    if (word !== 'DATA') return reply(line, '250 2.0.0 OK')
    isData = true
    return reply(line, '354 go on')
  }
  socket.setEncoding('utf8').on('data', (text: string) => {
    waiting += text
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n'
      const at = waiting.indexOf(end)
      if (at < 0) return
      const line = waiting.slice(0, at)
      waiting = waiting.slice(at + end.length)
      if (!isData) command(line)
      else {
        isData = false
        stub.mails.push({ ...mail, data: line, user })
        taken++
        reply('.', '250 2.0.0 queued as 4ABC')
      }
    }
  })
}
