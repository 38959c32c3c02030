/** Bootstrap files, the servers that start with them, and who then comes in. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { clientOf, expectStatus, patiently, type Client } from './builders.ts'
import { spawnServer, started, type ServerProcess } from '../harness/server-process.ts'

export const ADMIN = { email: 'admin@shop.example', password: 'of the admin, long enough' }
export const EDITOR = { email: 'editor@shop.example', password: 'of the editor, long enough' }
const MAIL_PASSWORD = 'of-the-provider'
export const APP_KEY = `shop2026_cfpk${randomBytes(20).toString('hex')}`
export const SECRETS = [ADMIN.password, EDITOR.password, MAIL_PASSWORD, APP_KEY]
/** What the files name of the environment. */
export const ENVIRONMENT = { EDITOR_PASSWORD: EDITOR.password, SHOP_APP_KEY: APP_KEY, MAIL_PASSWORD }

export const folder = mkdtempSync(join(tmpdir(), 'cf-bootstrap-'))
after(() => rmSync(folder, { recursive: true, force: true }))
export const at = (name: string) => join(folder, name)
const write = (name: string, text: string) => {
  writeFileSync(at(name), text)
  return at(name)
}

const document = {
  settings: { features: { geofences: false } },
  locales: [{ code: 'en', source: true }],
  blocks: [{ key: 'promo', name: 'Promo', fields: [{ id: 'f_title', tag: '#title', type: 'text' }] }],
  segments: [{ name: 'Gold', logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] }],
  instances: [{ id: 'hello', block: 'promo', values: { '#title': 'From the file' }, live: true, test: true }],
}

/** One workspace with everything that a file may name. */
export function shop(more: object = {}): Record<string, any> {
  write('admin-password', `${ADMIN.password}\n`)
  write('shop.json', JSON.stringify(document))
  return {
    id: 'shop2026',
    name: 'Shop',
    members: [
      { email: ADMIN.email, name: 'Sara', password: { file: 'admin-password' }, role: 'admin' },
      { email: EDITOR.email, name: 'Ed', password: '${EDITOR_PASSWORD}', role: 'editor' },
    ],
    keys: [
      { name: 'app', kind: 'publishable', environment: 'live', key: '${SHOP_APP_KEY}' },
      { name: 'build', kind: 'write', environment: 'live', writeTo: 'build.key' },
    ],
    plan: { requestsPerMinute: 5000, derivedKeys: false },
    channels: [
      {
        id: 'mail',
        provider: 'smtp',
        name: 'Our own',
        configuration: { host: 'mail.example', port: 587, username: 'u', password: '${MAIL_PASSWORD}', from: 'a@shop.example' },
      },
    ],
    document: 'shop.json',
    ...more,
  }
}

export const fileOf = (...workspaces: object[]) => write('bootstrap.json', JSON.stringify({ workspaces }))

/** A server as it is rolled out: nobody signs up, nothing is tried out. */
export function startWith(env: Record<string, string>): ServerProcess {
  return spawnServer({
    CF_SIGNUP: 'first',
    CF_TEST_HOOKS: 'off',
    CF_OPERATOR_TOKEN: '',
    CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    // Names of hosts are not asked for.
    CF_WEBHOOK_ALLOW_PRIVATE: 'on',
    ...ENVIRONMENT,
    ...env,
  })
}

/** Runs `work` with a server that started, and ends it. Returns what it printed. */
export async function during(env: Record<string, string>, work: (url: string) => Promise<void> = async () => {}): Promise<string> {
  const server = startWith(env)
  try {
    await work(await started(server))
  } finally {
    server.kill('SIGTERM')
    await server.exit
  }
  return server.output()
}

/** What a server says that does not start. */
export async function refusedStart(env: Record<string, string>): Promise<string> {
  const server = startWith(env)
  const address = await server.ready
  server.kill('SIGKILL')
  const { code } = await server.exit
  if (address !== undefined || code !== 1) throw new Error(`it started, or ended otherwise (${code}):\n${server.output()}`)
  return server.output()
}

export async function signedIn(url: string, { email, password }: typeof ADMIN, workspaceId = 'shop2026'): Promise<Client> {
  const login = await patiently(() => clientOf(`${url}/api/v1`).post('/auth/login', { email, password }))
  const { token } = expectStatus(login, 200).data
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': workspaceId })
}
