/** One typed fetch. The session is a cookie that scripts cannot read; the header tells the server that this is our own page. */
import { cutText } from '@contentflow/core/cut-text.ts'
import { isAwayStatus, noteAway } from './away.ts'
import { noteSsoRequired } from './sso.ts'

export type Query = Record<string, string | number | boolean | null | undefined>
/** The envelope of every answer. */
export type Answer<T> = { data: T; metadata?: { total?: number; nextCursor?: string | null } }

/** A refusal of the server, or that the server was not reached (status 0). */
type RuleFault = { path: number[]; reason: string }

type NamedWorkspace = { id: string; name: string }
/** Of a sign-in whose password was right: what its second step answers, for five minutes. */
export type FirstStep = { challenge: string; authenticator: boolean; passkey?: PublicKeyCredentialRequestOptionsJSON }
/** The members of a refusal besides its sentence. */
type Details = {
  code?: string
  signInUrl?: string
  rule?: RuleFault
  wouldRefuse?: number
  workspaces?: NamedWorkspace[]
  isUnread?: boolean
} & Partial<FirstStep>

export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  /** The request, as `PUT /segments/1`. */
  readonly asked: string
  /** Which rule of a segment is wrong, and why. */
  readonly rule: RuleFault | undefined
  /** How many calls of apps would have been refused if this proof had been required. */
  readonly wouldRefuse: number | undefined

  /** The answer did not come from the server, but for example from a proxy, so its text is not shown. */
  readonly isUnread: boolean

  /** No server answered, or it had no database. */
  get isAway(): boolean {
    return isAwayStatus(this.status)
  }

  /** Workspaces that a change would leave without an admin. */
  readonly workspaces: NamedWorkspace[] | undefined
  readonly firstStep: FirstStep | undefined

  constructor(
    status: number,
    message: string,
    asked: string,
    { code, rule, wouldRefuse, workspaces, isUnread = status === 0, challenge, authenticator = false, passkey }: Details = {},
  ) {
    super(message)
    this.firstStep = challenge === undefined ? undefined : { challenge, authenticator, ...(passkey && { passkey }) }
    this.workspaces = workspaces
    this.isUnread = isUnread
    this.status = status
    this.code = code
    this.asked = asked
    this.rule = rule
    this.wouldRefuse = wouldRefuse
  }
}

let onSignedOut: (isWriting: boolean) => Promise<boolean> = async () => false
/** Sets what to do when the session has ended, here or elsewhere. True: the same person is signed in again, and the request is sent again. */
export function whenSignedOut(listener: (isWriting: boolean) => Promise<boolean>): void {
  onSignedOut = listener
}

let onReauthenticate: () => Promise<boolean> = async () => false
/** Sets what to do when something takes a sign-in of the last minutes. True: the person signed in again, and the request is sent again. */
export function whenReauthenticating(listener: () => Promise<boolean>): void {
  onReauthenticate = listener
}

let onShut: () => void = () => undefined
/** Sets what to do when the workspace asks for a second factor that this session has not proved. */
export function whenShut(listener: () => void): void {
  onShut = listener
}

/** `version`: refused with 412 when somebody else saved after this version. */
export type Send = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  query?: Query
  body?: unknown
  workspaceId?: string
  version?: number | string | undefined
  signal?: AbortSignal
}

/** Calls the management API. Rejects with ApiError; aborted calls reject with the signal's reason. */
export async function call<T>(path: string, send: Send = {}): Promise<Answer<T>> {
  const { method = 'GET', query, body, workspaceId, version, signal } = send
  const asked = `${method} ${path}`
  const response = await fetch(`/api/v1${addressOf(path, query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      'x-cf-dashboard': '1',
      ...(workspaceId && { 'x-tenant-id': workspaceId }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted()
    noteAway()
    throw new ApiError(0, error instanceof Error ? error.message : String(error), asked)
  })
  const answer = await readJson(response, asked)
  if (response.ok && answer['success'] !== false) return answer as unknown as Answer<T>
  const { error, ...details } = answer as Details & { error?: string | { message: string } }
  // A code is said of what was sent: of a wrong one-time code, for example. The session goes on.
  const isSignedOut = response.status === 401 && details.code === undefined && path !== '/auth/session'
  if (
    (isSignedOut && (await onSignedOut(method !== 'GET'))) ||
    (details.code === 'REAUTHENTICATE' && response.status === 403 && (await onReauthenticate()))
  ) {
    signal?.throwIfAborted()
    return call<T>(path, send)
  }
  if (details.code === 'SECOND_FACTOR_REQUIRED' && response.status === 403 && workspaceId !== undefined) onShut()
  if (details.code === 'SSO_REQUIRED' && workspaceId) noteSsoRequired(workspaceId, details.signInUrl ?? '')
  // A change can be refused for a moment while others are in its way; the server is there then.
  if (method === 'GET' && isAwayStatus(response.status)) noteAway()
  // The refusal over the request rate is the one whose error is an object.
  throw new ApiError(response.status, (typeof error === 'object' ? error.message : error) ?? response.statusText, asked, details)
}

async function readJson(response: Response, asked: string): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // A proxy in between answered for the server.
    if (isAwayStatus(response.status)) noteAway()
    throw new ApiError(response.ok ? 502 : response.status, cutText(text, 200) || response.statusText, asked, { isUnread: true })
  }
}

/** A path cannot contain the ids `.` and `..`: `_` stands for them there, and the query names them. */
function addressOf(path: string, query: Query = {}): string {
  const [, kind, id] = /\/(user|device)s\/(\.{1,2})(?=\/|$)/.exec(path) ?? []
  if (kind === undefined || id === undefined) return path + search(query)
  return path.replace(`/${kind}s/${id}`, `/${kind}s/_`) + search({ ...query, [`${kind}Id`]: id })
}

function search(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}
