import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('../crash/due-child.ts', import.meta.url))

/** Has a process do one pass of a job, so many seconds ahead in time, and kill itself at a point of it; fails when it does not get there. `env` names the database. */
export async function dieAt(env: Record<string, string>, job: string, point: string, seconds: number): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [CHILD, job, point, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH, NODE_COMPILE_CACHE, NODE_NO_WARNINGS: '1', ...env },
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
  assert.equal(signal, 'SIGKILL', said)
}
