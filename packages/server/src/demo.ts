/** The demo workspace of a first start: an account, its keys, and the shop of examples/. Its secrets are shown once. */
import { readFileSync } from 'node:fs'
import type { Context } from './context.ts'
import { hashPassword, randomId } from './infra/secrets/crypto.ts'
import { syncManifest } from './modules/content/index.ts'
import { createSegment } from './modules/segments/index.ts'
import { applyImport, createImport, createLocale } from './modules/strings/index.ts'
import { createDemoWorkspace } from './modules/workspaces/index.ts'

const SHOP = new URL('../../../examples/shop/', import.meta.url)
const EMAIL = 'admin@demo.example'

const read = (file: string) => readFileSync(new URL(file, SHOP), 'utf8')

export type Demo = { describe(address: string): string }

/** Undefined when the installation has an account: a demo is only ever made in an empty one. */
export async function makeDemo(ctx: Context): Promise<Demo | undefined> {
  const password = randomId(16)
  const made = await createDemoWorkspace(ctx, {
    email: EMAIL,
    name: 'Demo admin',
    workspaceName: 'Souq Lane',
    passwordHash: await hashPassword(password),
  })
  if (!made) return undefined
  const of = { workspaceId: made.workspaceId, actor: 'demo' }
  for (const segment of JSON.parse(read('segments.json'))) await createSegment(ctx, of, segment)
  await syncManifest(ctx, of, JSON.parse(read('manifest.json')))
  await createLocale(ctx, of, { code: 'ar' })
  const { id } = await createImport(ctx, of, { csv: read('strings.csv'), fileName: 'strings.csv' })
  await applyImport(ctx, of, id)
  const { keys } = made
  return {
    describe: (address) => `
ContentFlow is at ${address} with a demo workspace. Shown once, store it now:

  Dashboard         ${address}/
  Sign in           ${EMAIL}
  Password          ${password}
  Demo shop         ${address}/demo/shop/
  Documentation     ${address}/guide/
  API reference     ${address}/docs
  Workspace         ${made.workspaceId}
  App key (live)    ${keys.live}
  App key (test)    ${keys.test}
  Write key         ${keys.write}
  Read key          ${keys.read}

  curl -H 'X-CF-Key: ${keys.live}' ${address}/sdk/v1/sync

`,
  }
}
