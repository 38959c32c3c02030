/** The built command line, run as people run it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Workspace } from '../../server/test/builders/builders.ts'
import { until } from '../../server/test/harness/until.ts'

const CLI = fileURLToPath(new URL('../dist/contentflow.js', import.meta.url))

export type Ran = { code: number | null; out: string; err: string }
export type Folder = {
  path: string
  write(name: string, content: string | object, mode?: number): void
  read(name: string): string
  /** `cwd`: a folder below, where the command is run. `typed`: its standard input. */
  run(args: string[], env?: Record<string, string>, how?: { cwd?: string; typed?: string }): Promise<Ran>
  start(args: string[], env?: Record<string, string>): Running
}
/** A command that goes on. `seen`: the first group of what it printed, once it did. `press`: as Ctrl-C does. `type`: into its standard input. */
export type Running = {
  ended: Promise<Ran>
  seen(pattern: RegExp): Promise<string>
  press(signal: NodeJS.Signals): void
  type(text: string): void
}

/** An empty folder, which is also the home of whoever runs the command there. */
export function openFolder(env: Record<string, string> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), 'cf-cli-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    write: (name, content, mode) =>
      writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content), { mode }),
    read: (name) => readFileSync(join(path, name), 'utf8'),
    run: (args, more = {}, { cwd = '.', typed } = {}) => startIn(join(path, cwd), args, { HOME: path, ...env, ...more }, typed).ended,
    start: (args, more = {}) => startIn(path, args, { HOME: path, ...env, ...more }),
  }
}

/** The keys of a workspace, as a pipeline has them. */
export function keysOf(url: string, ws: Workspace): Record<string, string> {
  return { CONTENTFLOW_URL: url, CONTENTFLOW_WRITE_KEY: ws.writeKey, CONTENTFLOW_KEY: ws.live, CONTENTFLOW_READ_KEY: ws.readKey }
}

export function expectExit(ran: Ran, code: number): Ran {
  assert.equal(ran.code, code, `${ran.out}\n${ran.err}`)
  return ran
}

/** The same at a terminal, to which both outputs go. */
export function startAtTerminal(folder: Folder, args: string[], env: Record<string, string> = {}): Running {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
  // Without a size it has no columns, and each letter gets a line of its own.
  return startProgram(folder.path, ['script', '-qec', `stty cols 120 rows 40; exec ${command}`, '/dev/null'], {
    HOME: folder.path,
    TERM: 'xterm',
    ...env,
  })
}

function startIn(cwd: string, args: string[], env: Record<string, string>, typed = ''): Running {
  return startProgram(cwd, [process.execPath, CLI, ...args], env, typed)
}

/** `typed`: all of its standard input; without it, whatever is typed later. */
function startProgram(cwd: string, [program = '', ...args]: string[], env: Record<string, string>, typed?: string): Running {
  const child = spawn(program, args, { cwd, env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...env } })
  if (typed !== undefined) child.stdin.end(typed)
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.err += text))
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ ...ran, code })))
  const seen = async (pattern: RegExp) => {
    let found: string | undefined
    await until(`${args.join(' ')} prints ${pattern}`, () => (found = pattern.exec(ran.out + ran.err)?.[1]) !== undefined)
    return found ?? ''
  }
  return { ended, seen, press: (signal) => void child.kill(signal), type: (text) => void child.stdin.write(text) }
}
