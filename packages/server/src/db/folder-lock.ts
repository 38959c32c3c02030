/**
 * Keeps a second process off the embedded database, which has no lock of its own and is destroyed by two writers.
 *
 * The lock file stands beside the database's own files and holds who took it. It is taken over only when its
 * owner is provably gone: on the same boot of the same machine the process id with its start time is asked for;
 * from elsewhere (another container on a shared volume) the owner must have stopped renewing it.
 */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const RENEW_MS = 2_000
/** An owner elsewhere that has not renewed for this long is gone. */
const SILENT_MS = 10_000

type Owner = { pid: number; startedAt: string; boot: string; host: string }

/** Takes the lock or throws an Error that says who has it. Returns the function that gives it back. */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(folder, 'contentflow.lock')
  const self: Owner = { pid: process.pid, startedAt: startOf(process.pid) ?? '', boot: bootId(), host: hostname() }
  const text = JSON.stringify(self)
  if (!createNew(path, text)) await takeOver(path, text)
  const renewal = setInterval(() => touch(path), RENEW_MS)
  renewal.unref()
  return () => {
    clearInterval(renewal)
    if (read(path) === text) rmSync(path, { force: true })
  }
}

async function takeOver(path: string, text: string): Promise<void> {
  const found = read(path)
  if (found !== undefined && (await isAlive(path, found))) {
    const { pid, host } = parseOwner(found) ?? { pid: '?', host: '?' }
    throw new Error(
      `The data folder is in use by process ${pid} on ${host} (lock file ${path}). Only one process may use the embedded database; set DATABASE_URL to run several.`,
    )
  }
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, text)
  renameSync(mine, path)
  // Two processes may find the same dead owner: the one that wrote last has the lock, the other sees it here.
  await sleep(150)
  if (read(path) !== text) throw new Error(`Another process has just taken the data folder (lock file ${path}).`)
}

async function isAlive(path: string, found: string): Promise<boolean> {
  const owner = parseOwner(found)
  if (owner && owner.boot === bootId() && owner.host === hostname()) return startOf(owner.pid) === owner.startedAt
  const before = mtime(path)
  if (Date.now() - before > SILENT_MS * 6) return false
  await sleep(SILENT_MS)
  return mtime(path) !== before
}

/** When a process began, in a form that differs for a later process with the same id; undefined when there is none. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return process.platform === 'linux' || !responds(pid) ? undefined : 'unknown'
  }
}

function responds(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'unknown'
  }
}

function createNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner
  } catch {
    return undefined // written half by a process that died: nobody owns it
  }
}

function mtime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function touch(path: string): void {
  const now = new Date()
  utimesSync(path, now, now)
}
