/** Workspaces, people, keys and content for tests, made through the product's own HTTP routes, and clients that carry their credentials. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'

export type Answer = {
  status: number
  headers: Headers
  /** The raw text. */
  text: string
  /** The parsed body; undefined when there is none. */
  body: any
  /** `body.data`. */
  data: any
}
export type RequestOptions = {
  headers?: Record<string, string>
  body?: unknown
  /** Sent as it is, instead of `body`. */ raw?: string | Uint8Array
}

/** Speaks to one root with one credential. */
export type Client = {
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, options?: RequestOptions): Promise<Answer>
}

export function clientOf(root: string, headers: Record<string, string> = {}): Client {
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    request(method, root + path, { ...options, headers: { ...headers, ...options.headers } })
  return {
    get: (path, options) => send('GET', path, options),
    post: (path, body, options) => send('POST', path, { ...options, body }),
    put: (path, body, options) => send('PUT', path, { ...options, body }),
    patch: (path, body, options) => send('PATCH', path, { ...options, body }),
    delete: (path, options) => send('DELETE', path, options),
  }
}

export async function request(method: string, url: string, { headers = {}, body, raw }: RequestOptions = {}): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(payload === undefined ? {} : { body: payload as string }),
  })
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== ''
  const parsed = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body: parsed, data: parsed?.data }
}

/** Asks again while too many passwords are being checked at once: on a busy machine tests sign in beside each other. */
export async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.body?.code !== 'SIGN_IN_BUSY') return answer
  }
}

/** Fails with the answer's text, which says why. */
export function expectStatus(answer: Answer, status: number): Answer {
  assert.equal(answer.status, status, answer.text)
  return answer
}

export type Workspace = {
  id: string
  admin: Client
  /** Of the admin's session. */
  token: string
  editor(): Promise<Client>
  approver(): Promise<Client>
  viewer(): Promise<Client>
  /** The live publishable key and a client that carries it; the same for the other kinds. */
  live: string
  test: string
  app: Client
  testApp: Client
  writeKey: string
  write: Client
  readKey: string
  read: Client
  /** A client root client with any headers. */
  sdk(headers?: Record<string, string>): Client
  /** Makes a key through the settings routes and returns its answer's data. */
  key(kind: 'publishable' | 'secret', environment: 'live' | 'test'): Promise<any>
  /** Registers a block type; `fields` default to one text field #title. */
  block(key: string, definition?: object): Promise<void>
  /** Makes an instance of a block type (registered when missing is NOT done) and publishes it unless `publish` is false. */
  instance(key: string, body?: object, options?: { publish?: false | 'live' | 'test' }): Promise<any>
  /** `data.blocks` of GET /sync for a device, or without one. */
  blocks(deviceId?: string, options?: { key?: string; locale?: string }): Promise<any[]>
}

export type Builders = {
  workspace(options?: { name?: string; sourceLocale?: string | null; email?: string }): Promise<Workspace>
  /** The operator's routes and test hooks. */
  operator: Client
  /** No credential at all. */
  anyone: Client
  advance(seconds: number): Promise<void>
  fault(name: string, on: boolean): Promise<void>
}

export const PASSWORD = 'correct horse battery'
export const uniqueEmail = () => `${randomBytes(8).toString('hex')}@example.com`

export function makeBuilders(url: string, operatorToken: string): Builders {
  const operator = clientOf(`${url}/api/v1`, { 'x-cf-operator-token': operatorToken })
  return {
    operator,
    anyone: clientOf(url),
    workspace: (options = {}) => makeWorkspace(url, options),
    advance: async (advanceSeconds) => void expectStatus(await operator.post('/test-hooks/clock', { advanceSeconds }), 200),
    fault: async (name, on) => void expectStatus(await operator.post('/test-hooks/faults', { name, on }), 200),
  }
}

async function makeWorkspace(
  url: string,
  { name = 'Shop', sourceLocale = 'en', email = uniqueEmail() }: { name?: string; sourceLocale?: string | null; email?: string },
): Promise<Workspace> {
  const root = `${url}/api/v1`
  const signUp = expectStatus(
    await patiently(() =>
      clientOf(root).post('/auth/signup', { email, password: PASSWORD, name: 'Admin', workspaceName: name, sourceLocale }),
    ),
    201,
  )
  const id: string = signUp.data.workspace.id
  const as = (token: string) => clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': id })
  const admin = as(signUp.data.token)
  const member = async (role: string, canApprove = false) => {
    const memberEmail = uniqueEmail()
    const entry = { email: memberEmail, name: role, password: PASSWORD, role, canApprove }
    expectStatus(await patiently(() => admin.post('/members', entry)), 201)
    const login = await patiently(() => clientOf(root).post('/auth/login', { email: memberEmail, password: PASSWORD }))
    return as(expectStatus(login, 200).data.token)
  }
  const key = async (kind: string, environment: string) =>
    expectStatus(await admin.post('/settings/sdk-keys', { kind, environment }), 201).data
  const live = (await key('publishable', 'live')).key
  const test = (await key('publishable', 'test')).key
  const writeKey = expectStatus(await admin.post('/settings/write-keys', {}), 201).data.key
  const readKey = expectStatus(await admin.post('/settings/read-keys', {}), 201).data.key
  const sdk = (headers: Record<string, string> = {}) => clientOf(`${url}/sdk/v1`, headers)
  const write = sdk({ 'x-cf-write-key': writeKey })
  return {
    id,
    admin,
    token: signUp.data.token,
    editor: () => member('editor'),
    approver: () => member('editor', true),
    viewer: () => member('viewer'),
    live,
    test,
    app: sdk({ 'x-cf-key': live }),
    testApp: sdk({ 'x-cf-key': test }),
    writeKey,
    write,
    readKey,
    read: clientOf(root, { 'x-cf-read-key': readKey }),
    sdk,
    key,
    block: async (blockKey, definition = {}) => {
      const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
      expectStatus(await write.post('/cards/register', { key: blockKey, fields, seedInstance: false, ...definition }), 201)
    },
    instance: async (blockKey, body = {}, { publish = 'live' } = {}) => {
      const made = expectStatus(await admin.post(`/blocks/${blockKey}/instances`, body), 201).data
      if (publish === false) return made
      return expectStatus(await admin.post(`/blocks/${blockKey}/instances/${made.id}/publish`, { target: publish }), 200).data
    },
    blocks: async (deviceId, { key: appKey = live, locale } = {}) => {
      const headers = { 'x-cf-key': appKey, ...(deviceId === undefined ? {} : { 'x-cf-device': deviceId }) }
      return expectStatus(await sdk(headers).get(`/sync${locale === undefined ? '' : `?locale=${locale}`}`), 200).data.blocks
    },
  }
}
