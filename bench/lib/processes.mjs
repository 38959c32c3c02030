/** Child processes bound to a core, and what the kernel says of them. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The server under test has one core to itself, what loads it the other. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

const TASKSET = 'taskset'
const ALL_CORES = `0-${availableParallelism() - 1}`

/** What a short command prints; undefined when there is no such command. */
export function printed(command, ...args) {
  const { error, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return error ? undefined : stdout
}

/** Binds this process to the load's core; what it starts is bound by `start`. */
export function takeLoadCore() {
  if (availableParallelism() < 2) throw new Error('The figures need two cores: one for the server, one for its load')
  if (printed(TASKSET, '-a', '-c', '-p', String(LOAD_CORE), String(process.pid)) === undefined)
    throw new Error('The figures need taskset; on Debian: apt-get install -y util-linux')
}

const children = new Set()
process.on('exit', endAll)

export function endAll() {
  for (const child of children) child.kill('SIGKILL')
}

/** `core` null: all cores. With `ipc` the child can be sent messages. */
export function start(command, args, { core = null, env = {}, ipc = false } = {}) {
  const child = spawn(TASKSET, ['-c', core === null ? ALL_CORES : String(core), command, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(ipc ? ['ipc'] : [])],
  })
  children.add(child)
  child.ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      children.delete(child)
      if (signal && !child.killed) process.stderr.write(`${command} ${args.join(' ')} was ended by ${signal}\n`)
      resolve(code ?? signal)
    })
  })
  child.ended.catch(() => {})
  return child
}

/** Starts one of the programs beside run.mjs. */
export function startProgram(name, args, options) {
  return start(process.execPath, [new URL(`../${name}`, import.meta.url).pathname, ...args], options)
}

export async function stop(child) {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await child.ended
  clearTimeout(timer)
}

/** Resolves with the match of the first line of output that fits; rejects when the child ends before. */
export function said(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      if (text === undefined) return
      text += chunk
      const match = pattern.exec(text)
      if (!match) return
      text = undefined
      resolve(match)
    })
    child.ended.then((code) => reject(new Error(`${child.spawnargs.join(' ')} ended (${code}) before it said ${pattern}`)), reject)
  })
}

export const output = async (child) => {
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  const code = await child.ended
  const text = Buffer.concat(chunks).toString()
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${text}`)
  return text
}

/** Asks a child with `ipc` and resolves with its answer. */
export function ask(child, message) {
  return new Promise((resolve, reject) => {
    const onMessage = (answer) => (answer.error ? reject(new Error(answer.error)) : resolve(answer))
    child.once('message', onMessage)
    child.ended.then(() => reject(new Error(`${child.spawnargs.at(-1)} ended while it was asked for ${message.type}`)), reject)
    child.send(message)
  })
}

/** Processor seconds a process has used, in hundredths; undefined when it is gone. */
export function cpuSeconds(pid) {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident bytes. */
export function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024
}

export { setTimeout as sleep } from 'node:timers/promises'
