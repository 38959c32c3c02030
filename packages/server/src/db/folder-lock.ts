/**
 * Keeps a second process off the embedded database, which has no lock of its own and is destroyed by two writers.
 *
 * The lock file stands beside the database's own files and holds who took it. It is taken over only when its
 * owner is provably gone: on the same boot of the same machine the process id with its start time is asked for;
 * from elsewhere (another container on a shared volume) the owner must have stopped renewing it.
 *
 * Several may find the same owner gone, and any of them may stall at any moment. So an owner has one heir at most:
 * the one that makes the file of the succession, whose name comes from the owner's unique text. An heir that dies
 * in between has its own heir: the lock belongs to the last of this chain. Who comes late finds that the lock no
 * longer leads to their succession, and has won nothing.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const RENEW_MS = 2_000
/** An owner elsewhere that has not renewed for this long is gone. */
const SILENT_MS = 10_000
/** After this long without a renewal no second look is needed; also the age at which files of unfinished starts are swept. */
const LONG_SILENT_MS = 60_000

type Owner = {
  pid: number
  startedAt: string
  boot: string
  host: string
  /** Tells two owners with one process id apart. */ token: string
}

/**
 * Takes the lock or throws an Error that says who has it. Returns the function that gives it back. `onLost` is
 * called when the lock can no longer be renewed or is somebody else's: the database must not be used any more.
 */
export async function lockFolder(folder: string, onLost: (error: Error) => void = () => {}): Promise<() => void> {
  const path = join(folder, 'contentflow.lock')
  const token = randomUUID()
  const self: Owner = { pid: process.pid, startedAt: startOf(process.pid) ?? '', boot: bootId(), host: hostname(), token }
  const text = JSON.stringify(self)
  const claim = `${path}.claim-${token}`
  writeFileSync(claim, text, { flag: 'wx', mode: 0o600 })
  try {
    await take(path, text, claim)
  } finally {
    rmSync(claim, { force: true })
  }
  // Kept open, so that renewing needs no descriptor: a process that has run out of them has not lost its lock.
  const file = openSync(path, 'r')
  const renewal = setInterval(() => {
    try {
      const [own, found] = [fstatSync(file), statSync(path)]
      if (own.ino !== found.ino || own.dev !== found.dev || readOpen(file) !== text)
        throw new Error(`Another process has taken the data folder (lock file ${path}).`)
      const now = new Date()
      futimesSync(file, now, now)
    } catch (error) {
      clearInterval(renewal)
      onLost(error as Error)
    }
  }, RENEW_MS)
  renewal.unref()
  return () => {
    clearInterval(renewal)
    closeSync(file)
    if (read(path) === text) rmSync(path, { force: true })
  }
}

/** `claim` is a file of one's own that holds `text`: what is made from it is never seen half. */
async function take(path: string, text: string, claim: string): Promise<void> {
  while (!makeFrom(claim, path, text)) {
    const owner = findOwner(path)
    if (!owner) continue // given back meanwhile
    if (await isAlive(owner.file, owner.text)) throw folderInUseError(path, owner.text)
    const succession = successionOf(path, owner.text)
    if (!makeFrom(claim, succession, text)) continue // somebody else was first
    if (findOwner(path)?.text !== text) {
      rmSync(succession, { force: true }) // this owner was succeeded long ago
      continue
    }
    // Nobody else replaces the file now: whoever would take over must find this process gone first.
    renameSync(claim, path)
    removeStaleLock(path, text)
    return
  }
}

/** The last of the chain that begins with the lock file. */
function findOwner(path: string): { file: string; text: string } | undefined {
  let file = path
  let text = read(path)
  if (text === undefined) return undefined
  for (;;) {
    const succession = successionOf(path, text)
    const heir = read(succession)
    if (heir === undefined) return { file, text }
    file = succession
    text = heir
  }
}

function successionOf(path: string, text: string): string {
  return `${path}.after-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/** What earlier owners and unfinished starts left: the lock file leads to none of it any more. */
function removeStaleLock(path: string, text: string): void {
  const own = basename(successionOf(path, text))
  for (const name of readdirSync(dirname(path))) {
    const file = join(dirname(path), name)
    const isSuccession = name.startsWith(`${basename(path)}.after-`) && name !== own
    const isOldClaim = name.startsWith(`${basename(path)}.claim-`) && Date.now() - mtime(file) > LONG_SILENT_MS
    if (isSuccession || isOldClaim) rmSync(file, { force: true })
  }
}

function folderInUseError(path: string, owner: string): Error {
  const { pid, host } = parseOwner(owner) ?? { pid: '?', host: '?' }
  return new Error(
    `The data folder is in use by process ${pid} on ${host} (lock file ${path}). Only one process may use the embedded database; set DATABASE_URL to run several.`,
  )
}

async function isAlive(path: string, found: string): Promise<boolean> {
  const owner = parseOwner(found)
  if (owner && owner.boot === bootId() && owner.host === hostname()) return startOf(owner.pid) === owner.startedAt
  const before = mtime(path)
  if (Date.now() - before > LONG_SILENT_MS) return false
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

/** Systems without hard links say one of these; there the file is made and then filled. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

/** False when there is one already. */
function makeFrom(claim: string, path: string, text: string): boolean {
  try {
    linkSync(claim, path)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    return createNew(path, text)
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

/** Reads the file from its beginning. */
function readOpen(file: number): string {
  const bytes = Buffer.alloc(fstatSync(file).size)
  readSync(file, bytes, 0, bytes.length, 0)
  return bytes.toString()
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
