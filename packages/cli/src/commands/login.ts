import { cancel, password as askSecret, select, text } from '@clack/prompts'
import { serverAddress, signIn, type Session } from '../api.ts'
import { readCredentials, saveCredentials, VARIABLES, type Credentials } from '../credentials.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

/** Signs in and keeps the token, and the keys the environment has. In a pipeline everything comes from the environment. */
export async function login(io: Io, { json }: { json?: boolean }): Promise<Exit> {
  const known = readCredentials(io)
  const url = serverAddress(
    known.url ?? (await ask(io, 'CONTENTFLOW_URL', () => text({ message: 'Server', placeholder: 'http://127.0.0.1:8080' }))),
  )
  const email = io.env['CONTENTFLOW_EMAIL'] ?? (await ask(io, 'CONTENTFLOW_EMAIL', () => text({ message: 'Email' })))
  const secret = io.env['CONTENTFLOW_PASSWORD'] ?? (await ask(io, 'CONTENTFLOW_PASSWORD', () => askSecret({ message: 'Password' })))
  const askCode = () => ask(io, 'CONTENTFLOW_OTP', () => text({ message: 'Code of your authenticator app, or a recovery code' }))
  const session = await signIn(url, email, secret, async () => io.env['CONTENTFLOW_OTP'] ?? askCode())
  const workspace = await choose(io, session, io.env['CONTENTFLOW_WORKSPACE'])
  const keys: Credentials = {}
  for (const name of ['key', 'writeKey', 'readKey'] as const) {
    const value = io.env[VARIABLES[name]]
    if (value) keys[name] = value
  }
  const path = saveCredentials(io, { ...keys, url, token: session.token, workspace: workspace.id })
  io.out(
    json
      ? `${JSON.stringify({ url, workspace, file: path })}\n`
      : `Signed in to ${workspace.name} (${workspace.role}) at ${url}, for one day. Kept in ${path}\n`,
  )
  return SAME
}

async function choose(io: Io, { workspaces }: Session, named: string | undefined): Promise<Session['workspaces'][number]> {
  if (named !== undefined) {
    const found = workspaces.find(({ id }) => id === named)
    if (!found) throw new Problem(`You are not a member of the workspace ${named}. Yours: ${list(workspaces)}`)
    return found
  }
  const [only] = workspaces
  if (!only) throw new Problem('You are a member of no workspace: ask an admin for an invitation')
  if (workspaces.length === 1) return only
  const options = workspaces.map(({ id, name, role }) => ({ value: id, label: name, hint: role }))
  const id = await ask(io, `CONTENTFLOW_WORKSPACE (${list(workspaces)})`, () => select({ message: 'Workspace', options }))
  return workspaces.find((workspace) => workspace.id === id) ?? only
}

const list = (workspaces: Session['workspaces']) => workspaces.map(({ id, name }) => `${id} ${name}`).join(', ')

async function ask(io: Io, variable: string, prompt: () => Promise<string | symbol>): Promise<string> {
  if (!io.isTerminal) throw new Problem(`Nobody can be asked here: set ${variable}`)
  const answer = await prompt()
  if (typeof answer !== 'string' || answer === '') {
    cancel('Nothing was changed')
    throw new Problem('You left the sign-in')
  }
  return answer
}
