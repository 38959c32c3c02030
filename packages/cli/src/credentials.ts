/** The credentials of the command line: from the environment, else from the rc file that `login` writes. Never from arguments, which every process can read. */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem, type Io } from './io.ts'

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

/** The file in which `login` stores credentials. */
function rcPath({ env, home }: Io): string {
  return env['CONTENTFLOW_RC'] || join(home, '.contentflowrc')
}

export function readCredentials(io: Io): Credentials {
  const stored = readRc(rcPath(io))
  const found: Credentials = {}
  for (const name of NAMES) {
    const value = io.env[VARIABLES[name]] || stored[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** Stores the credentials with these added; only the file's owner may read it. */
export function saveCredentials(io: Io, added: Credentials): string {
  const path = rcPath(io)
  const text = `${JSON.stringify({ ...readRc(path), ...added }, undefined, 2)}\n`
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
    throw new Problem(`${path} holds keys and others may read it. Close it: chmod 600 ${path}`)
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Problem(`${path} is not JSON. Delete it and run contentflow login`)
  }
  const held = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>
  return Object.fromEntries(NAMES.flatMap((name) => (typeof held[name] === 'string' ? [[name, held[name]]] : [])))
}
