/** Runs PGlite beside the web thread, so that a long statement never stalls an answer, and serves it on a private socket. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const { dataDir, socketPath } = workerData as { dataDir: string; socketPath: string }
const database = await PGlite.create(dataDir)
const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 1 })
await server.start()

parentPort?.on('message', () => {
  void server
    .stop()
    .then(() => database.close())
    .then(() => parentPort?.postMessage('closed'))
})
parentPort?.postMessage('ready')
