/** A workspace whose directory signs people in, and sends them by SCIM. */
import { after } from 'node:test'
import { clientOf, expectStatus, type Client, type Workspace } from '../builders.ts'
import { afterFiles } from '../../harness/after-files.ts'
import type { TestApp } from '../../harness/start-app.ts'
import { openNameServer } from '../mails/name-server.ts'
import { CookieBrowser, signInAtDirectory } from './cookie-browser.ts'
import { openDirectory, type Directory, type DirectoryPerson } from './identity-provider.ts'

export const names = await openNameServer()
// Files of one process share it.
afterFiles(async () => names.close())
/** What a server of these tests needs to reach the directory. */
export const SETTINGS = { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_DNS_SERVERS: names.address }

export type Provisioned = {
  ws: Workspace
  scim: Client
  token: string
  domain: string
  directory: Directory
  /** Saves the provider with these settings besides. */
  save(change?: Record<string, unknown>): Promise<void>
  signIn(login: string, person?: DirectoryPerson): Promise<{ location: string | null; me: Client }>
}

/** A token that may do nothing but send people. */
export async function tokenFor(ws: Workspace): Promise<string> {
  const role = expectStatus(await ws.admin.post('/roles', { name: 'Directory', permissions: ['members:provision'] }), 201).data.id
  const service = expectStatus(await ws.admin.post('/service-accounts', { name: 'Directory', roleId: role }), 201).data.id
  return expectStatus(await ws.admin.post(`/service-accounts/${service}/tokens`, {}), 201).data.token
}

export const scimOf = (url: string, token: string) =>
  clientOf(`${url}/scim/v2`, { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' })

let made = 0
export async function provisionedWorkspace({ url, workspace }: Pick<TestApp, 'url' | 'workspace'>): Promise<Provisioned> {
  const ws = await workspace()
  const domain = `scim${++made}.example`
  const directory = await openDirectory({ id: `${ws.id}.staff`, url })
  after(() => directory.close())
  const put = async (change: Record<string, unknown> = {}) =>
    expectStatus(
      await ws.admin.put('/settings/identity-providers/staff', {
        name: 'Staff',
        issuer: directory.issuer,
        clientId: directory.clientId,
        clientSecret: directory.clientSecret,
        mapping: [
          { group: 'Admins', role: 'admin' },
          { group: 'Writers', role: 'editor' },
        ],
        defaultRole: 'viewer',
        domains: [domain],
        ...change,
      }),
      200,
    ).data
  names.texts.set(domain, [(await put()).domains[0].record])
  await put()
  const token = await tokenFor(ws)
  const root = `${url}/api/v1`
  return {
    ws,
    scim: scimOf(url, token),
    token,
    domain,
    directory,
    save: async (change) => void (await put(change)),
    signIn: async (login, person = {}) => {
      directory.people.set(login, person)
      const browser = new CookieBrowser()
      const visit = await signInAtDirectory(browser, `${root}/auth/oidc/${ws.id}.staff/start`, login)
      const cookie = [...browser.cookies].find(([key]) => key.endsWith(' cf_session'))?.[1].value
      const me = clientOf(root, { 'x-cf-dashboard': '1', cookie: `cf_session=${cookie}`, 'x-tenant-id': ws.id })
      return { location: visit.headers.get('location'), me }
    },
  }
}
