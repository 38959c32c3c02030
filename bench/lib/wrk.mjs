/** Closed-loop load: wrk on its own core, as many requests as 64 connections get answered. */
import { writeFileSync } from 'node:fs'
import { cpuSeconds, LOAD_CORE, output, printed, start } from './processes.mjs'

const SCRIPT = new URL('./rotate.lua', import.meta.url).pathname

export function refuseWithoutWrk() {
  if (printed('wrk', '-v') === undefined) throw new Error('This figure needs wrk; on Debian: apt-get install -y wrk')
}

/** `requests`: lists of a path and then header names and values. */
export function writeRequests(file, requests) {
  writeFileSync(file, requests.map((parts) => `${parts.join('\t')}\n`).join(''))
}

/**
 * Loads a server for some seconds. `perCpuSecond`: requests for each second of processor time the server used,
 * which other programs on the machine hardly change. The shares say how busy each side kept its core.
 */
export async function load({ port, pid }, file, seconds, connections = 64) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', SCRIPT, `http://127.0.0.1:${port}`, '--', file]
  const before = cpuSeconds(pid)
  const child = start('wrk', args, { core: LOAD_CORE })
  // Read again and again, because the kernel forgets a process when it ends.
  let loadSeconds = 0
  const timer = setInterval(() => {
    loadSeconds = cpuSeconds(child.pid) ?? loadSeconds
  }, 50)
  const text = await output(child).finally(() => clearInterval(timer))
  const used = cpuSeconds(pid) - before
  const result = JSON.parse(text.slice(text.lastIndexOf('{')))
  if (result.failed > 0 || result.requests === 0) throw new Error(`Some requests failed:\n${text}`)
  return {
    perSecond: result.requests / result.seconds,
    perCpuSecond: result.requests / used,
    bytesPerAnswer: result.bytes / result.requests,
    p99: result.p99,
    serverShare: used / result.seconds,
    loadShare: loadSeconds / result.seconds,
  }
}
