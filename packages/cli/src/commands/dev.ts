import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Api } from '../api.ts'
import { filesOfProject, push, type WatchedFile } from '../dev/push.ts'
import { openSandbox } from '../dev/sandbox.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'
import { findProject, PROJECT_FILE, type Project } from '../project.ts'

type Options = { json?: boolean }
/** `pushed`: the state of the file that was sent last; `seen`: that of the last look. */
type Watched = WatchedFile & { pushed: string | undefined; seen: string | undefined; retryAt: number }
type Session = { io: Io; json: boolean; project: Project; api: Api }

/** Between two looks at the files. One that was saved is sent when it is the same in two of them, so that it is whole. */
const LOOK_MS = 150
/** A server that is away is tried again so much later. */
const RETRY_MS = 2_000

/** Sends the files of the project to its test environment, and again whenever one changes, until it is stopped. */
export async function dev(io: Io, { json = false }: Options): Promise<Exit> {
  const project = findProject(io)
  if (!project) throw new Problem(`There is no ${PROJECT_FILE} here or above: contentflow init writes one`, 'FILE')
  const files = filesOfProject(project)
  if (files.length === 0) throw new Problem(`${project.path} names no file that could be sent: manifest, texts, events, document`, 'FILE')
  const signal = io.stopSignal()
  const { name, api, close } = await openSandbox(io)
  const list = files.map(({ file }) => file)
  tell(io, json, { watching: list, sandbox: name }, `Changes of ${list.join(', ')} go to ${name}, for apps with a test key. Ctrl-C ends\n`)
  try {
    await watch({ io, json, project, api }, files, signal)
  } finally {
    await close()
  }
  return SAME
}

/** Looks at each file in turn: it works on every file system, for files that come later, and however an editor saves. */
async function watch(session: Session, files: readonly WatchedFile[], signal: AbortSignal): Promise<void> {
  const watched = files.map((file): Watched => ({ ...file, pushed: undefined, seen: undefined, retryAt: 0 }))
  const missing = watched.filter(({ file }) => stateOf(session.io, file) === undefined)
  for (const { file } of missing) tell(session.io, session.json, { file, missing: true }, `${file} is not there yet\n`)
  while (!signal.aborted) {
    for (const each of watched) if (!signal.aborted) await look(session, each)
    await pause(LOOK_MS, signal)
  }
}

async function look(session: Session, each: Watched): Promise<void> {
  const state = stateOf(session.io, each.file)
  const isSettled = state === each.seen
  each.seen = state
  if (state === undefined || state === each.pushed || !isSettled || Date.now() < each.retryAt) return
  try {
    const { says, report } = await push(session.io, session.api, session.project, each)
    tell(session.io, session.json, { file: each.file, kind: each.kind, report }, `${each.file}: ${says}\n`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'UNREACHABLE') return wait(session, each, error)
    tellError(session, each, error)
  }
  each.retryAt = 0
  each.pushed = state
}

function wait(session: Session, each: Watched, error: Problem): void {
  if (each.retryAt === 0) tellError(session, each, error)
  each.retryAt = Date.now() + RETRY_MS
}

function tellError({ io, json }: Session, { file }: Watched, { message, code }: Problem): void {
  io.err(json ? `${JSON.stringify({ file, error: message, code })}\n` : `${message.startsWith(file) ? '' : `${file}: `}${message}\n`)
}

function tell(io: Io, json: boolean, report: object, line: string): void {
  io.out(json ? `${JSON.stringify(report)}\n` : line)
}

/** Another text whenever it was written; undefined while it is not there. */
function stateOf(io: Io, file: string): string | undefined {
  const found = statSync(resolve(io.cwd, file), { throwIfNoEntry: false })
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
