/** The guard on real sockets: a listener that must never be reached, and receivers that behave in every bad way. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../../test/harness/until.ts'
import { openMetrics } from '../metrics.ts'
import { openOutbound, OutboundError, type Outbound } from './outbound.ts'

const metrics = openMetrics()
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing) await close()
})
const opened = (outbound: Outbound) => {
  closing.push(() => outbound.close())
  return outbound
}
const guarded = opened(openOutbound({ isPrivateAllowed: false, metrics }))
const open = opened(openOutbound({ isPrivateAllowed: true, metrics }))

async function listen(listener: RequestListener): Promise<{ url: string; server: Server; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server, port }
}

let touched = 0
const canary = createSocketServer((socket: Socket) => {
  touched++
  socket.destroy()
})
await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
closing.push(() => void canary.close())
const { port: forbidden } = canary.address() as AddressInfo

const get = (outbound: Outbound, url: string, signal?: AbortSignal) =>
  outbound.send({ kind: 'test', url, method: 'GET', headers: {}, ...(signal && { signal }) })
const failsWith = async (outcome: string, sending: Promise<unknown>, words: RegExp = /./) =>
  assert.rejects(sending, (error) => {
    assert.ok(error instanceof OutboundError, String(error))
    assert.equal(error.outcome, outcome, error.message)
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /127\.0\.0|::1|10\.0\./, 'no address of this network is told')
    return true
  })

const PRIVATE_HOSTS = `
  127.0.0.1 127.1 0 0.0.0.0 0177.0.0.1 017700000001 2130706433 0x7f.1 0x7f000001 １２７.0.0.1 127。0。0。1
  localhost localhost. LOCALHOST a.localhost metadata.google.internal printer.local %6cocalhost
  [::1] [::] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2001:0:7f00:1::] [fd00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1]
  169.254.169.254 168.63.129.16 100.64.0.1 100.100.100.200 192.0.0.192 10.0.0.1 172.16.0.1 172.31.255.255
  192.168.0.1 198.18.0.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.0.2.1 203.0.113.1`
  .trim()
  .split(/\s+/)

test('no spelling of a private address is taken, and none is connected to', async () => {
  for (const host of PRIVATE_HOSTS) {
    const url = `http://${host}:${forbidden}/`
    assert.match((await guarded.refusalOf(url)) ?? '', /private network/, host)
    await failsWith('refused', get(guarded, url))
  }
  assert.equal(touched, 0)
})

test('what is no address of the web is refused before anything is looked up', async () => {
  for (const url of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:1',
    'https://u:p@example.com/',
    'https://u@example.com/',
    'x',
    '',
  ])
    for (const outbound of [guarded, open]) {
      assert.ok(await outbound.refusalOf(url), url)
      await failsWith('refused', get(outbound, url))
    }
  for (const port of [1, 22, 23, 53, 110, 139, 445, 1023]) assert.match((await open.refusalOf(`http://example.com:${port}`)) ?? '', /port/)
  for (const port of [25, 80, 443, 465, 587, 1024, 8080, 65_535])
    assert.equal(await open.refusalOf(`http://93.184.216.34:${port}`), undefined)
})

test('public addresses are called', async () => {
  for (const host of ['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700:4700::1111]', '[::ffff:1.1.1.1]'])
    assert.equal(await guarded.refusalOf(`https://${host}/`), undefined, host)
})

test('a name is judged by every address it has when it is connected to, not by what it had before', async () => {
  let addresses = ['93.184.216.34']
  const outbound = opened(openOutbound({ isPrivateAllowed: false, metrics, resolve: async () => addresses }))
  const url = `http://rebound.example:${forbidden}/`
  assert.equal(await outbound.refusalOf(url), undefined)
  for (const found of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']]) {
    addresses = found
    await failsWith('refused', get(outbound, url), /private network/)
    assert.match((await outbound.refusalOf(url)) ?? '', /private network/)
  }
  addresses = []
  await failsWith('unresolved', get(outbound, url))
  assert.equal(await outbound.refusalOf(url), undefined, 'it may be there later')
  assert.equal(touched, 0)
})

test('the address that was looked up is the one that is connected to, with the name the caller gave', async () => {
  const { port } = await listen((request, response) => response.end(request.headers.host))
  const outbound = opened(openOutbound({ isPrivateAllowed: true, metrics, resolve: async () => ['127.0.0.1'] }))
  const answer = await get(outbound, `http://shop.example:${port}/x`)
  assert.deepEqual([answer.status, answer.text], [200, `shop.example:${port}`])
})

test('a redirect is an answer and is not followed', async () => {
  const { url } = await listen((_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${forbidden}/` }).end())
  const answer = await get(open, url)
  assert.deepEqual([answer.status, answer.headers['location']], [302, `http://127.0.0.1:${forbidden}/`])
  assert.equal(touched, 0)
})

test('of a long answer 64 kB are kept and the connection is closed', async () => {
  const closed = Promise.withResolvers<number>()
  const { url } = await listen((_request, response) => {
    let sent = 0
    const more = () => {
      while (sent < 10_000_000) {
        sent += 16_384
        if (!response.write('é'.repeat(8_192))) break
      }
      if (sent < 10_000_000) response.once('drain', more)
      else response.end()
    }
    response.on('close', () => closed.resolve(sent))
    more()
  })
  const answer = await get(open, url)
  assert.deepEqual([answer.status, answer.isCut, Buffer.byteLength(answer.text)], [200, true, 65_536])
  assert.ok((await closed.promise) < 10_000_000)
})

test('a receiver that resets, talks nonsense or sends endless headers is told apart in words, without addresses', async () => {
  const behaves = async (does: (socket: Socket) => void) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => does(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
  await failsWith('failed', get(open, await behaves((socket) => socket.resetAndDestroy())), /ended before/)
  await failsWith('failed', get(open, await behaves((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'))), /ended/)
  await failsWith('failed', get(open, await behaves((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))), /not HTTP/)
  const long = `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`
  await failsWith('failed', get(open, await behaves((socket) => socket.end(long))), /too long/)
  const { url, server } = await listen(() => undefined)
  server.close()
  await failsWith('failed', get(open, url), /Nothing listens/)
})

test('a receiver that hangs is given up after ten seconds, however it hangs; meanwhile another is called at once, and its own calls wait in line', async () => {
  let called = 0
  const silent = await listen(() => void called++)
  const drip = await listen((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 200)
    response.on('close', () => clearInterval(timer))
  })
  const good = await listen((_request, response) => response.end('ok'))
  const began = performance.now()
  const hanging = [get(open, drip.url), ...Array.from({ length: 4 }, () => get(open, silent.url))]
  let ended = 0
  const given = hanging.map((sending) => failsWith('timeout', sending, /within 10 s/).finally(() => ended++))
  const stop = new AbortController()
  const behind = get(open, silent.url, stop.signal)
  const stopped = assert.rejects(behind, /stopped by the test/)
  for (let i = 0; i < 50; i++) assert.equal((await get(open, good.url)).text, 'ok')
  await until('four are called', () => called >= 4)
  assert.deepEqual([called, ended], [4, 0], 'the good one is not held, the fifth of the silent one waits')
  await Promise.all(given)
  assert.ok(performance.now() - began > 9_000)
  stop.abort(new Error('stopped by the test'))
  await stopped
})

test('a signal ends a call that is under way, with its reason, and the connection with it', async () => {
  const closed = Promise.withResolvers<void>()
  const stop = new AbortController()
  const { url } = await listen((_request, response) => {
    response.on('close', closed.resolve)
    stop.abort(new Error('stopped by the test'))
  })
  await assert.rejects(get(open, url, stop.signal), /stopped by the test/)
  await closed.promise
})

test('at one address those who wait for calls of their own keep nobody else waiting, and all together call it a bounded number of times', async () => {
  const called: string[] = []
  const held: ServerResponse[] = []
  const { url } = await listen((request, response) => {
    called.push(request.url ?? '')
    held.push(response)
  })
  const call = async (asker: string) => open.send({ kind: 'test', asker, url: `${url}/${asker}`, method: 'GET', headers: {} })
  const crowd = Array.from({ length: 10 }, () => call('a'))
  await until('a has what one may have', () => called.length === 4)
  const others = [call('b')]
  await until('b is not kept', () => called.includes('/b'))
  assert.equal(called.length, 5)
  for (const asker of ['c', 'd', 'e', 'f']) for (let n = 0; n < 4; n++) others.push(call(asker))
  await until('there is no more room', () => called.length === 16)
  // What ends gives its place to whoever has none, and not to the next of its own.
  held[0]!.end()
  await until('the place is passed on', () => called.length === 17)
  assert.equal(called[16], '/f')
  const answer = setInterval(() => held.forEach((response) => response.end()), 5)
  await Promise.all([...crowd, ...others])
  clearInterval(answer)
  assert.equal(called.length, 27)
})

test('a connection for another protocol than HTTP goes where a call may go, and nowhere else', async () => {
  const { url, port } = await listen(() => undefined)
  const to = (host: string, at = port) => ({ kind: 'test', host, port: at })
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'a.localhost']) await failsWith('refused', guarded.connect(to(host, forbidden)))
  await failsWith('refused', open.connect(to('127.0.0.1', 22)), /port 22/)
  await failsWith('refused', open.connect(to('not a host')), /not an address/)
  assert.equal(touched, 0)
  const socket = await open.connect(to(new URL(url).hostname))
  socket.destroy()
})

test('every call is counted by what it was for and what came of it', async () => {
  const text = await metrics.registry.metrics()
  for (const outcome of ['2xx', '3xx', 'refused', 'unresolved', 'timeout', 'failed', 'stopped', 'connected'])
    assert.match(text, new RegExp(`contentflow_outbound_requests_total\\{kind="test",outcome="${outcome}"\\} [1-9]`), outcome)
})
