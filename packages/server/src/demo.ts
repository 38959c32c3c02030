/** The demo workspace of a first start: an account, its keys, and the shop of examples/. Its secrets are shown once. */
import { readFileSync } from 'node:fs'
import type { Context } from './context.ts'
import { hashPassword, randomId } from './infra/crypto.ts'
import { syncManifest } from './modules/content/index.ts'
import { createDemoWorkspace } from './modules/workspaces/index.ts'

const MANIFEST = new URL('../../../examples/shop/manifest.json', import.meta.url)
const EMAIL = 'admin@demo.example'

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
  await syncManifest(ctx, made.workspaceId, JSON.parse(readFileSync(MANIFEST, 'utf8')), 'demo')
  const { keys } = made
  return {
    describe: (address) => `
ContentFlow is at ${address} with a demo workspace. This is shown once:

  API description   ${address}/docs
  Sign in           ${EMAIL}
  Password          ${password}
  Workspace         ${made.workspaceId}
  App key (live)    ${keys.live}
  App key (test)    ${keys.test}
  Write key         ${keys.write}
  Read key          ${keys.read}

  curl -H 'X-CF-Key: ${keys.live}' ${address}/sdk/v1/sync

`,
  }
}
