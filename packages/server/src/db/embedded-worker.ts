/** Runs PGlite beside the web thread, so that a long statement never stalls an answer, and serves it on a private socket. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { PLANNING } from './planning.ts'

const { dataDir, socketPath } = workerData as { dataDir: string; socketPath: string }
/**
 * A page that is not among these is read from the system's cache of files. With PostgreSQL's own 128 MB the process holds
 * 120 MB more after a start, and 720 MB instead of 600 after a dozen manifests of 6 MB.
 */
const SHARED_BUFFERS = '32MB'
const database = await PGlite.create(dataDir, {
  startParams: [...PGlite.defaultStartParams, ...[`shared_buffers=${SHARED_BUFFERS}`, ...PLANNING].flatMap((setting) => ['-c', setting])],
})
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 1 })
await server.start()

parentPort?.on('message', () => {
  void server
    .stop()
    .then(() => database.close())
    .then(() => parentPort?.postMessage('closed'))
})
parentPort?.postMessage('ready')
