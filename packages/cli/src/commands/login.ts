import { cancel, password as askSecret, select, text } from '@clack/prompts'
import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { awaitWebSession, beginWebSignIn, sessionOf, signIn, type Session } from '../api.ts'
import { readCredentials, saveCredentials, serverAddress, VARIABLES, type Credentials } from '../credentials.ts'
import { readText, STANDARD } from '../files.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'
import { findProject } from '../project.ts'

type Options = { json?: boolean; web?: boolean; token?: boolean }
type Way = 'web' | 'token' | 'password'

const WAYS: { value: Way; label: string }[] = [
  { value: 'web', label: 'in a browser' },
  { value: 'token', label: 'with an API token' },
  { value: 'password', label: 'with name and password' },
]

/** Signs in and keeps the token, and the keys the environment has. In a pipeline everything comes from the environment. */
export async function login(io: Io, options: Options): Promise<Exit> {
  const known = readCredentials(io)
  const url = serverAddress(
    known.url ?? (await ask(io, 'CONTENTFLOW_URL', () => text({ message: 'Server', placeholder: 'http://127.0.0.1:8080' }))),
  )
  const session = await enter(io, url, options)
  const workspace = await choose(io, session, io.env['CONTENTFLOW_WORKSPACE'] ?? findProject(io)?.workspace)
  const keys: Credentials = {}
  for (const name of ['key', 'writeKey', 'readKey'] as const) {
    const value = io.env[VARIABLES[name]]
    if (value) keys[name] = value
  }
  const path = saveCredentials(io, { ...keys, url, token: session.token, workspace: workspace.id })
  io.out(
    options.json
      ? `${JSON.stringify({ url, workspace, file: path })}\n`
      : `Signed in to ${workspace.name} (${workspace.role}) at ${url}${isOfService(session) ? '' : ', for one day'}. Kept in ${path}\n`,
  )
  return SAME
}

/** By the token that the environment has, else as somebody chooses. */
async function enter(io: Io, url: string, options: Options): Promise<Session> {
  const given = io.env[VARIABLES.token]
  if (given && !options.web && !options.token) return sessionOf(url, given)
  const way = await chooseWay(io, options)
  switch (way) {
    case 'web':
      return enterInBrowser(io, url, options.json ? io.err : io.out)
    case 'token':
      return sessionOf(url, await askToken(io))
    case 'password':
      return enterWithPassword(io, url)
    default:
      return way satisfies never
  }
}

/** Where the environment has a name or a password, or nobody can be asked, it is those. */
async function chooseWay(io: Io, { web, token }: Options): Promise<Way> {
  if (web && token) throw new Problem('Name one of --web and --token', 'USAGE')
  if (web) return 'web'
  if (token) return 'token'
  const { CONTENTFLOW_EMAIL: email, CONTENTFLOW_PASSWORD: secret } = io.env
  if (!io.isTerminal || email || secret) return 'password'
  return (await ask(io, VARIABLES.token, () => select({ message: 'Sign in', options: WAYS }))) as Way
}

/** Typed where nobody sees it, or the first line of standard input. */
async function askToken(io: Io): Promise<string> {
  if (io.isTerminal) return ask(io, VARIABLES.token, () => askSecret({ message: 'Paste the token' }))
  const [token = ''] = readText(io, STANDARD).split('\n')
  if (token.trim() === '') throw new Problem(`There is no token on standard input; it may stand in ${VARIABLES.token} too`, 'CREDENTIALS')
  return token.trim()
}

async function enterWithPassword(io: Io, url: string): Promise<Session> {
  const email = io.env['CONTENTFLOW_EMAIL'] ?? (await ask(io, 'CONTENTFLOW_EMAIL', () => text({ message: 'Email' })))
  const secret = io.env['CONTENTFLOW_PASSWORD'] ?? (await ask(io, 'CONTENTFLOW_PASSWORD', () => askSecret({ message: 'Password' })))
  const askCode = () => ask(io, 'CONTENTFLOW_OTP', () => text({ message: 'Code of your authenticator app, or a recovery code' }))
  return signIn(url, email, secret, async () => io.env['CONTENTFLOW_OTP'] ?? askCode())
}

const isOfService = ({ token }: Session) => workspaceOfToken(token) !== undefined

/** Its person compares the code on a page where they are signed in, with whatever that takes. */
async function enterInBrowser(io: Io, url: string, say: (text: string) => void): Promise<Session> {
  const begun = await beginWebSignIn(url, hostname())
  say(`Open ${begun.verificationUrlComplete} within 10 minutes, and confirm that the page shows this code: ${begun.userCode}\n`)
  if (io.isTerminal) openBrowser(begun.verificationUrlComplete)
  return awaitWebSession(url, begun)
}

/** Where there is none, the address is printed. No shell reads it. */
function openBrowser(address: string): void {
  // It comes from the server: nothing but a page is opened.
  if (!/^https?:\/\//.test(address)) return
  const [program, ...before] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
  const child = spawn(program ?? 'xdg-open', [...before, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

async function choose(io: Io, { workspaces }: Session, named: string | undefined): Promise<Session['workspaces'][number]> {
  if (named !== undefined) {
    const found = workspaces.find(({ id }) => id === named)
    if (!found) throw new Problem(`You are not a member of the workspace ${named}. Yours: ${list(workspaces)}`, 'CREDENTIALS')
    return found
  }
  const [only] = workspaces
  if (!only) throw new Problem('You are a member of no workspace: ask an admin for an invitation', 'CREDENTIALS')
  if (workspaces.length === 1) return only
  const options = workspaces.map(({ id, name, role }) => ({ value: id, label: name, hint: role }))
  const id = await ask(io, `CONTENTFLOW_WORKSPACE (${list(workspaces)})`, () => select({ message: 'Workspace', options }))
  return workspaces.find((workspace) => workspace.id === id) ?? only
}

const list = (workspaces: Session['workspaces']) => workspaces.map(({ id, name }) => `${id} ${name}`).join(', ')

async function ask(io: Io, variable: string, prompt: () => Promise<string | symbol>): Promise<string> {
  if (!io.isTerminal) throw new Problem(`Nobody can be asked here: set ${variable}`, 'UNCONFIRMED')
  const answer = await prompt()
  if (typeof answer !== 'string' || answer === '') {
    cancel('Nothing was changed')
    throw new Problem('You left the sign-in', 'UNCONFIRMED')
  }
  return answer
}
