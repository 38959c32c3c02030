/**
 * The embedded database: PostgreSQL as WebAssembly (PGlite) in a worker thread, reached by the ordinary
 * driver over a unix socket in a folder only this user can enter. It has exactly one connection: the
 * statements of two would interleave inside its single backend.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { lockFolder } from './folder-lock.ts'

export type Embedded = { host: string; port: number; close(): Promise<void> }

/** A unix socket's path may have 107 bytes; deep data folders get one below the system's temporary folder. */
const SOCKET_PATH_MAX = 107
const PORT = 5432

/** Starts the engine on `folder`, made when missing. Throws when another process has it. */
export async function startEmbedded(folder: string, onCrash: (error: Error) => void): Promise<Embedded> {
  const root = resolve(folder)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(root, onCrash)
  const socket = socketFolder(root)
  try {
    const dataDir = join(root, 'pg')
    if (!existsSync(join(dataDir, 'PG_VERSION'))) await makeDatabase(dataDir)
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { dataDir, socketPath: join(socket.path, `.s.PGSQL.${PORT}`) },
    })
    await waitForMessage(worker, 'ready')
    worker.on('error', onCrash)
    return {
      host: socket.path,
      port: PORT,
      close: async () => {
        worker.off('error', onCrash)
        worker.postMessage('close')
        await waitForMessage(worker, 'closed')
        await worker.terminate()
        socket.remove()
        unlock()
      },
    }
  } catch (error) {
    socket.remove()
    unlock()
    throw error
  }
}

async function makeDatabase(dataDir: string): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('./make-embedded.ts', import.meta.url)), dataDir])
}

function socketFolder(root: string): { path: string; remove(): void } {
  const inside = join(root, 'socket')
  const isShort = Buffer.byteLength(join(inside, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX
  const path = isShort ? inside : mkdtempSync(join(tmpdir(), 'contentflow-'))
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function waitForMessage(worker: Worker, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      worker.off('message', onMessage).off('error', settle).off('exit', onExit)
      if (error) reject(error)
      else resolve()
    }
    const onMessage = (message: unknown) => message === word && settle()
    const onExit = (code: number) => settle(new Error(`the embedded database stopped with code ${code}`))
    worker.on('message', onMessage).on('error', settle).on('exit', onExit)
  })
}
