/** The server as people start it: a process of its own, with its own database, that can be stopped or killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OPERATOR_TOKEN } from './start-app.ts'

export type Exit = { code: number | null; signal: NodeJS.Signals | null }
export type ServerProcess = {
  pid: number
  /** Everything written to standard output and to standard error. */
  output(): string
  /** The address, once it listens; undefined when the process ended before it did. */
  ready: Promise<string | undefined>
  exit: Promise<Exit>
  kill(signal: NodeJS.Signals): void
}

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

/**
 * `env` names the database (see freshDatabase) and overrides settings. `before`: what the shell does first, as `ulimit -n 400`.
 * Whoever starts it ends it.
 */
export function spawnServer(env: Record<string, string>, before = ':'): ServerProcess {
  const child = spawn('sh', ['-c', `${before}; exec "$0" "$1"`, process.execPath, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_NO_WARNINGS: '1',
      PORT: '0',
      CF_DEMO: 'off',
      CF_SIGNUP: 'on',
      CF_OPERATOR_TOKEN: OPERATOR_TOKEN,
      CF_TEST_HOOKS: 'on',
      CF_LOG_LEVEL: 'error',
      ...env,
    },
  })
  let output = ''
  const listening = Promise.withResolvers<string | undefined>()
  const exited = Promise.withResolvers<Exit>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const address = /ContentFlow is at (http:\S+)/.exec(output)?.[1]
      if (address) listening.resolve(address)
    })
  child.once('close', (code, signal) => {
    listening.resolve(undefined)
    exited.resolve({ code, signal })
  })
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ready: listening.promise,
    exit: exited.promise,
    kill: (signal) => void child.kill(signal),
  }
}

/** Waits until it listens; fails with what it said when it ends instead. */
export async function started(server: ServerProcess): Promise<string> {
  const address = await server.ready
  if (address === undefined) throw new Error(`the server ended before it listened:\n${server.output()}`)
  return address
}

export type Lives = {
  /** Its address, always the same. */
  start(): Promise<string>
  /** Fails when it ends in another way than it was told to. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  close(): Promise<void>
}

/** One server through several lives, on one database and at one address. */
export async function openLives(env: Record<string, string>): Promise<Lives> {
  const port = await freePort()
  let server: ServerProcess | undefined
  return {
    start: async () => {
      server = spawnServer({ ...env, PORT: port })
      return started(server)
    },
    end: async (signal) => {
      server?.kill(signal)
      assert.deepEqual(await server?.exit, signal === 'SIGKILL' ? { code: null, signal } : { code: 0, signal: null })
    },
    close: async () => {
      server?.kill('SIGKILL')
      await server?.exit
    },
  }
}

/** For a server that keeps its address through several lives. */
export async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}
