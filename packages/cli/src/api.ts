/** Calls of the server, each with the credential its route takes. */
import { randomUUID } from 'node:crypto'
import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import { readCredentials, serverAddress, VARIABLES, type Credentials, type Name } from './credentials.ts'
import { Problem, type Io } from './io.ts'

type Kind = 'app' | 'write' | 'read' | 'member' | 'none'
type Answer = { status: number; headers: Headers; body: Record<string, unknown> }
type Sent = {
  body?: unknown
  /** Sent instead of a JSON body: bytes with their content type. */
  file?: { bytes: Uint8Array<ArrayBuffer>; type: string }
  headers?: Record<string, string>
  /** How long the answer may take. */
  seconds?: number
}
export type Page<T> = { data: T; metadata: { nextCursor: string | null } }
export type Api = {
  /** The server's address, without a slash at its end. */
  base: string
  credentials: Credentials
  /** The answer as it is, refusals too. `path` begins with `/sdk/v1` or `/api/v1`. */
  ask(kind: Kind, method: string, path: string, sent?: Sent): Promise<Answer>
  /** `data` of a success; a refusal is a Problem. */
  call<T>(kind: Kind, method: string, path: string, sent?: Sent): Promise<T>
  /** The same with the members beside `data`: one page of a list. */
  page(kind: Kind, path: string): Promise<Page<unknown>>
}

const SECONDS = 60
/** How often a request is sent while the server is too busy, or is cut off. A POST is sent again with one key, so nothing is done twice. */
const TRIES = 4

/** Calls the server that the environment or the rc file names. */
export function openApi(io: Io, credentials: Credentials = readCredentials(io)): Api {
  const { url } = credentials
  if (!url)
    throw new Problem('Which server? Set CONTENTFLOW_URL, for example http://127.0.0.1:8080, or run contentflow login', 'CREDENTIALS')
  const base = serverAddress(url)
  let signedIn: Promise<Record<string, string>> | undefined
  const member = () => (signedIn ??= memberHeaders(io, base, credentials))
  const ask = async (kind: Kind, method: string, path: string, sent: Sent = {}) => {
    const headers = kind === 'member' ? await member() : keyHeaders(kind, credentials)
    return send(base, method, path, { ...sent, headers: { ...headers, ...sent.headers } })
  }
  const take = async (kind: Kind, method: string, path: string, sent?: Sent) => {
    const answer = await ask(kind, method, path, sent)
    if (answer.status < 400 && answer.body['success'] !== false) return answer.body
    throw refusal(kind, answer)
  }
  return {
    base,
    credentials,
    ask,
    call: async (...asked) => (await take(...asked))['data'] as never,
    page: async (kind, path) => (await take(kind, 'GET', path)) as Page<unknown>,
  }
}

function keyHeaders(kind: Exclude<Kind, 'member'>, credentials: Credentials): Record<string, string> {
  if (kind === 'none') return {}
  const [name, header, what] = {
    app: ['key', 'x-cf-key', 'an application key'] as const,
    write: ['writeKey', 'x-cf-write-key', 'a write key'] as const,
    read: ['readKey', 'x-cf-read-key', 'a read key'] as const,
  }[kind] satisfies readonly [Name, string, string]
  const value = credentials[name]
  if (!value) throw new Problem(`This takes ${what}: set ${VARIABLES[name]}. An admin or editor makes one in Settings, Keys`, 'CREDENTIALS')
  return { [header]: value }
}

/** Signs in with the given token, or with the address and password of the environment. */
async function memberHeaders(io: Io, base: string, { token, workspace }: Credentials): Promise<Record<string, string>> {
  const { CONTENTFLOW_EMAIL: email, CONTENTFLOW_PASSWORD: password } = io.env
  const session = token ? { token, workspaces: [] } : email && password ? await signIn(base, email, password) : undefined
  if (!session) throw new Problem('This takes somebody signed in: run contentflow login --web, or set CONTENTFLOW_TOKEN', 'CREDENTIALS')
  // A token of a service account names its workspace, and opens no other.
  const id =
    (token === undefined ? undefined : workspaceOfToken(token)) ??
    workspace ??
    (session.workspaces.length === 1 ? session.workspaces[0]?.id : undefined)
  if (!id) throw new Problem('Which workspace? Set CONTENTFLOW_WORKSPACE to its id, or run contentflow login', 'CREDENTIALS')
  return { authorization: `Bearer ${session.token}`, 'x-tenant-id': id }
}

export type Session = { token: string; workspaces: { id: string; name: string; role: string }[] }

/** `askCode`: asks for a one-time code, where the account has a second factor. */
export async function signIn(base: string, email: string, password: string, askCode?: () => Promise<string>): Promise<Session> {
  const give = (more: object) => send(base, 'POST', '/api/v1/auth/login', { body: { email, password, ...more } })
  let answer = await give({})
  if (answer.body['code'] === 'SECOND_FACTOR_REQUIRED' && askCode) answer = await give({ otp: await askCode() })
  if (answer.status !== 200) throw refusal('none', answer)
  return answer.body['data'] as Session
}

/** The session of a token that is there already: of a person, or of a service account, which is of one workspace. */
export async function sessionOf(base: string, token: string): Promise<Session> {
  const id = workspaceOfToken(token)
  const authorization = `Bearer ${token}`
  if (id === undefined) {
    const answer = await send(base, 'GET', '/api/v1/auth/me', { headers: { authorization } })
    if (answer.status !== 200) throw refusal('member', answer)
    const { workspaces } = answer.body['data'] as Pick<Session, 'workspaces'>
    return { token, workspaces }
  }
  const answer = await send(base, 'GET', '/api/v1/access/permissions', { headers: { authorization, 'x-tenant-id': id } })
  // It may do less than to look at this.
  if (answer.status !== 200 && answer.body['code'] !== 'ROLE_REQUIRED') throw refusal('none', answer)
  return { token, workspaces: [{ id, name: id, role: 'service account' }] }
}

/** What a browser is asked to confirm. `intervalSeconds`: between two questions for the session. */
type WebSignIn = { deviceCode: string; userCode: string; verificationUrlComplete: string; intervalSeconds: number }

export async function beginWebSignIn(base: string, host: string): Promise<WebSignIn> {
  const answer = await send(base, 'POST', '/api/v1/auth/device', { body: { host } })
  if (answer.status === 404) throw new Problem('This server does not sign in by a browser yet: run contentflow login', 'UNREACHABLE')
  if (answer.status !== 201) throw refusal('none', answer)
  return answer.body['data'] as WebSignIn
}

/** Asks until somebody has answered in the browser. */
export async function awaitWebSession(base: string, { deviceCode, intervalSeconds }: WebSignIn): Promise<Session> {
  for (;;) {
    const answer = await send(base, 'POST', '/api/v1/auth/device/token', { body: { deviceCode } })
    if (answer.status === 200) return answer.body['data'] as Session
    const { code } = answer.body
    if (code !== 'SIGN_IN_PENDING' && code !== 'LOGIN_RATE_LIMITED') throw refusal('none', answer)
    const wait = Math.max(Number(answer.headers.get('retry-after') ?? 0), intervalSeconds)
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
}

async function send(base: string, method: string, path: string, { body, file, headers = {}, seconds = SECONDS }: Sent): Promise<Answer> {
  const payload = file ? file.bytes : body === undefined ? undefined : JSON.stringify(body)
  const type = file?.type ?? (payload === undefined ? undefined : 'application/json')
  const isKeyed = takesKey(method, path, headers)
  const sent = {
    method,
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(isKeyed && { 'idempotency-key': `"${randomUUID()}"` }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  }
  for (let attempt = 1; ; attempt++) {
    const { status, headers: answered, text } = await reach(base + path, { ...sent, signal: AbortSignal.timeout(seconds * 1000) })
    const wait = Number(answered.get('retry-after') ?? NaN)
    const isBusy = status === 429 || status === 503 || (isKeyed && status === 409 && text.includes('"IDEMPOTENCY_KEY_IN_USE"'))
    if (isBusy && attempt < TRIES && wait <= SECONDS && (isKeyed || method === 'GET')) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 1) * 1000))
      continue
    }
    return { status, headers: answered, body: bodyOf(text, base) }
  }
}

/** What members and pipelines send to change something; a server that knows no such keys ignores them. */
function takesKey(method: string, path: string, headers: Record<string, string>): boolean {
  const isOf = 'x-tenant-id' in headers || 'x-cf-write-key' in headers
  return method === 'POST' && isOf && path.startsWith('/api/v1/') && !path.startsWith('/api/v1/auth/')
}

async function reach(address: string, request: RequestInit): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const response = await fetch(address, { ...request, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    const why = cause?.code ?? cause?.message ?? (error as Error).message
    throw new Problem(
      `${new URL(address).origin} cannot be reached (${why}). Is CONTENTFLOW_URL right, and does the server run?`,
      'UNREACHABLE',
    )
  }
}

function bodyOf(text: string, base: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Problem(`${base} does not answer as ContentFlow does. Is CONTENTFLOW_URL right?`, 'UNREACHABLE')
  }
}

function refusal(kind: Kind, { status, body }: Answer): Problem {
  const { error, code } = body as { error?: string | { message: string; code: string }; code?: string }
  const said = typeof error === 'object' ? error : { message: error ?? `The server answered ${status}`, code }
  const hint = status === 401 && kind !== 'none' ? ` (${HINTS[kind]})` : ''
  return new Problem(`${said.message}${hint}`, said.code ?? (status === 401 ? 'CREDENTIALS' : 'FAILED'))
}

const HINTS: Record<Exclude<Kind, 'none'>, string> = {
  app: 'the key is CONTENTFLOW_KEY',
  write: 'the key is CONTENTFLOW_WRITE_KEY',
  read: 'the key is CONTENTFLOW_READ_KEY',
  member: 'a session lasts one day: run contentflow login again',
}
