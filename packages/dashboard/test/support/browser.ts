/**
 * The dashboard as people use it: built, served by a real server on a real database with the demo shop's
 * content, in a real browser, signed in through its own form. Test files that run in one process share the server and
 * the browser; each has a workspace of its own, and none moves the clock or sets faults.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client, type Workspace } from '../../../server/test/builders/builders.ts'
import { afterFiles } from '../../../server/test/harness/after-files.ts'
import { launchChromium } from '../../../server/test/harness/chromium.ts'
import { freshDatabase, startApp, startOn, type TestApp } from '../../../server/test/harness/start-app.ts'
import { openView, type View } from './view.ts'

export { expectStatus, PASSWORD, uniqueEmail }

/** Tests stand in for providers and for receivers of webhooks on this machine. */
const ENV = { CF_WEBHOOK_ALLOW_PRIVATE: 'on' }

let sharedApp: Promise<TestApp> | undefined
let sharedBrowser: Promise<Browser> | undefined

const SHOP = new URL('../../../../examples/shop/', import.meta.url)

export type Account = { email: string; password: string }
type Role = 'admin' | 'editor' | 'viewer'

export type Dashboard = View & {
  /** Where the server is. */
  url: string
  app: TestApp
  /** Clients that arrange data, and the keys of the workspace that is shown. */
  ws: Workspace
  admin: Client
  account: Account
  /** A further device: its own cookies and storage, not signed in. */
  openDevice(): Promise<View>
  /** A further device with a new member of this role signed in. */
  openAs(role: Role, options?: { canApprove?: boolean; name?: string }): Promise<View & { account: Account }>
}

type Options = {
  /** Whether the workspace has the demo shop's block types and texts; an empty one otherwise. */
  isDemo?: boolean
  name?: string
  /** Settings of a server that is for this file alone. */
  env?: Record<string, string>
}

/** The pages end after the tests of the file; then none may have complained in its console. */
export async function openDashboard({ isDemo = true, name = 'Souq Lane', env }: Options = {}): Promise<Dashboard> {
  const views: View[] = []
  after(async () => {
    const complaints = views.flatMap((view) => view.complaints)
    await Promise.all(views.map(({ context }) => context.close()))
    assert.deepEqual(complaints, [], 'a page complained in its console')
  })
  const app = await (env ? startApp({ ...ENV, ...env }) : (sharedApp ??= startShared()))
  const browser = await (sharedBrowser ??= launchShared())
  const account = { email: uniqueEmail(), password: PASSWORD }
  const ws = await app.workspace({ name, email: account.email })
  if (isDemo) await fillWithDemo(ws)

  const open = async () => {
    const view = await openView(browser, { url: app.url, workspaceId: ws.id })
    views.push(view)
    return view
  }
  const view = await open()
  await signIn(view, account)
  return {
    ...view,
    url: app.url,
    app,
    ws,
    admin: ws.admin,
    account,
    openDevice: open,
    openAs: async (role, { canApprove = false, name: memberName = `The ${role}` } = {}) => {
      const member = { email: uniqueEmail(), password: 'chosen by its person' }
      expectStatus(await ws.admin.post('/members', { ...member, password: PASSWORD, name: memberName, role, canApprove }), 201)
      const session = expectStatus(await clientOf(`${app.url}/api/v1`).post('/auth/login', { ...member, password: PASSWORD }), 200).data
      const theirs = clientOf(`${app.url}/api/v1`, { authorization: `Bearer ${session.token}` })
      // In a browser they would be asked to.
      expectStatus(await theirs.put('/auth/password', { current: PASSWORD, next: member.password }), 200)
      const other = await open()
      await signIn(other, member)
      return { ...other, account: member }
    },
  }
}

async function startShared(): Promise<TestApp> {
  const database = await freshDatabase()
  const app = await startOn(database.env, ENV)
  afterFiles(async () => {
    try {
      await app.stop()
    } finally {
      await database.remove()
    }
  })
  return app
}

async function launchShared(): Promise<Browser> {
  const browser = await launchChromium()
  afterFiles(() => browser.close())
  return browser
}

/** Through the form, as a person does; `next` is the password that whoever got theirs from somebody else is asked for. */
export async function signIn({ page, url }: View, { email, password, next }: Account & { next?: string }): Promise<void> {
  if (!page.url().includes('/login')) await page.goto(`${url}/login`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  if (next !== undefined) {
    for (const name of ['New password', 'New password again']) await page.getByRole('textbox', { name, exact: true }).fill(next)
    await page.getByRole('button', { name: 'Change password and sign in' }).click()
  }
  await page.waitForURL(/\/w\//)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** What a first start has: the shop's block types and seeds, its languages and its texts. */
async function fillWithDemo({ admin, write }: Workspace): Promise<void> {
  const manifest: unknown = JSON.parse(readFileSync(new URL('manifest.json', SHOP), 'utf8'))
  expectStatus(await write.post('/cards/sync', manifest), 200)
  expectStatus(await admin.post('/locales', { code: 'ar' }), 201)
  const csv = readFileSync(new URL('strings.csv', SHOP), 'utf8')
  const { data } = expectStatus(await admin.post('/strings/imports', { csv, fileName: 'strings.csv' }), 201)
  expectStatus(await admin.post(`/strings/imports/${data.importId}/apply`), 200)
}

/** For arranging what a second person does through the API. */
export async function clientFor({ url, ws }: Pick<Dashboard, 'url' | 'ws'>, account: Account): Promise<Client> {
  const { data } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', account), 200)
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': ws.id })
}
