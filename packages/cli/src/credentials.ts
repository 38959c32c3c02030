/**
 * The credentials of the command line: from the environment, else from the rc file that `login` writes. Never from arguments, which
 * every process can read, and never from the project file, which says only which server and which workspace.
 */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import { Problem, type Io } from './io.ts'
import { findProject, PROJECT_FILE, type Project } from './project.ts'

/** Each as it is called in the rc file, and the variable that goes before it. */
export const VARIABLES = {
  url: 'CONTENTFLOW_URL',
  key: 'CONTENTFLOW_KEY',
  writeKey: 'CONTENTFLOW_WRITE_KEY',
  readKey: 'CONTENTFLOW_READ_KEY',
  token: 'CONTENTFLOW_TOKEN',
  workspace: 'CONTENTFLOW_WORKSPACE',
} as const
export type Name = keyof typeof VARIABLES
export type Credentials = Partial<Record<Name, string>>

const NAMES = Object.keys(VARIABLES) as Name[]
/** Those that open one workspace, whichever is named. */
const KEYS = ['key', 'writeKey', 'readKey'] as const

/** The file in which `login` stores credentials. */
function rcPath({ env, home }: Io): string {
  return env['CONTENTFLOW_RC'] || join(home, '.contentflowrc')
}

export function readCredentials(io: Io): Credentials {
  const project = findProject(io)
  const stored = meantFor(io, project, readRc(rcPath(io)))
  const found: Credentials = {}
  for (const name of NAMES) {
    const ofProject = name === 'url' ? project?.server : name === 'workspace' ? project?.workspace : undefined
    const value = io.env[VARIABLES[name]] || ofProject || stored[name]
    if (value !== undefined) found[name] = value
  }
  refuseOtherWorkspace(io, project, found)
  return found
}

/**
 * What of the stored credentials may be sent where the project file points: nothing to a server that they are not of, or cloning
 * somebody's project would be enough to hand them over; and no key of another workspace, or a push would land there.
 */
function meantFor(io: Io, project: Project | undefined, stored: Credentials): Credentials {
  const { server, workspace } = project ?? {}
  if (server !== undefined && !io.env[VARIABLES.url] && (stored.url === undefined || serverAddress(stored.url) !== serverAddress(server)))
    return {}
  const isOther = workspace !== undefined && stored.workspace !== workspace
  return isOther ? Object.fromEntries(Object.entries(stored).filter(([name]) => !KEYS.some((key) => key === name))) : stored
}

/** A token of a service account opens one workspace, which has to be the one that the project is of. */
function refuseOtherWorkspace(io: Io, project: Project | undefined, { token }: Credentials): void {
  const named = project?.workspace
  const opened = token === undefined ? undefined : workspaceOfToken(token)
  if (named === undefined || opened === undefined || opened === named || io.env[VARIABLES.workspace] === opened) return
  throw new Problem(
    `${project?.path ?? PROJECT_FILE} is of the workspace ${named}, and the token opens ${opened}. Take a token of ${named}, or set ${VARIABLES.workspace}=${opened}`,
    'CREDENTIALS',
  )
}

/** The server's address as people write it, which may end with a root of the API. */
export function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Problem(
      `The server (CONTENTFLOW_URL, or server in ${PROJECT_FILE}) must be an address such as http://127.0.0.1:8080, not ${text}`,
      'CREDENTIALS',
    )
  return (url.origin + url.pathname).replace(/\/(sdk|api)\/v1\/?$/, '').replace(/\/+$/, '')
}

/** Stores the credentials with these added; only the file's owner may read it. What was stored for another server goes. */
export function saveCredentials(io: Io, added: Credentials): string {
  const path = rcPath(io)
  const before = readRc(path)
  const isOther = before.url !== undefined && added.url !== undefined && serverAddress(before.url) !== serverAddress(added.url)
  const text = `${JSON.stringify({ ...(!isOther && before), ...added }, undefined, 2)}\n`
  // Beside it and then in its place: a file that others may read is never written to.
  const next = `${path}.${process.pid}`
  writeFileSync(next, text, { mode: 0o600, flag: 'wx' })
  renameSync(next, path)
  return path
}

function readRc(path: string): Credentials {
  if (!existsSync(path)) return {}
  const others = statSync(path).mode & 0o077
  if (others !== 0 && process.platform !== 'win32')
    throw new Problem(`${path} holds keys and others may read it. Close it: chmod 600 ${path}`, 'CREDENTIALS')
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Problem(`${path} is not JSON. Delete it and run contentflow login`, 'CREDENTIALS')
  }
  const held = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>
  return Object.fromEntries(NAMES.flatMap((name) => (typeof held[name] === 'string' ? [[name, held[name]]] : [])))
}
