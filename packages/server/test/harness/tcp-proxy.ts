/** A TCP proxy between the server under test and its database, which can be cut and joined again. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Ends every connection and refuses new ones. */
  cut(): void
  /** Takes connections and bytes, and passes nothing on: a network that swallows everything. */
  swallow(): void
  join(): void
  close(): Promise<void>
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  let mode: 'joined' | 'cut' | 'swallowing' = 'joined'
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Cut connections are what this proxy is for.
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((inner) => {
    keep(inner)
    if (mode === 'cut') inner.destroy()
    if (mode === 'swallowing') inner.resume()
    if (mode !== 'joined') return
    const outer = connect(port, host)
    keep(outer)
    inner.on('data', (bytes) => mode === 'joined' && outer.write(bytes))
    outer.on('data', (bytes) => mode === 'joined' && inner.write(bytes))
    inner.on('close', () => outer.destroy())
    outer.on('close', () => mode !== 'swallowing' && inner.destroy())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      mode = 'cut'
      dropAll()
    },
    swallow: () => {
      mode = 'swallowing'
    },
    join: () => {
      // What hung in between is lost, as with a network that comes back.
      if (mode === 'swallowing') dropAll()
      mode = 'joined'
    },
    close: async () => {
      dropAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
