import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import { hostname } from 'node:os'
import { openApi, type Api } from '../api.ts'
import { readCredentials } from '../credentials.ts'
import { Problem, type Io } from '../io.ts'

export type Sandbox = { name: string; api: Api; /** Gives back what it was opened with. */ close(): Promise<void> }
type Me = { user: { email: string }; workspaces: { id: string; name: string; isSandbox: boolean }[] }

const KEY_HOURS = 24

/**
 * The test environment of the workspace, and never the workspace itself: block types and texts are of a workspace as a whole, so
 * only a sandbox keeps them from live apps. It is reached by whoever is signed in, with a write key of its own that ends with the
 * command, or a day later if that is killed.
 */
export async function openSandbox(io: Io): Promise<Sandbox> {
  const { id, name } = await findSandbox(io)
  const { key: _, writeKey: __, readKey: ___, ...credentials } = readCredentials(io)
  const keys = openApi(io, { ...credentials, workspace: id })
  const expiresAt = new Date(Date.now() + KEY_HOURS * 3_600_000).toISOString()
  const made = await keys.call<{ id: string; key: string }>('member', 'POST', '/api/v1/settings/write-keys', {
    body: { name: `contentflow dev on ${hostname()}`.slice(0, 100), expiresAt },
  })
  return {
    name,
    api: openApi(io, { ...credentials, workspace: id, writeKey: made.key }),
    close: async () => {
      try {
        await keys.ask('member', 'DELETE', `/api/v1/settings/write-keys/${made.id}`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        io.err(`The write key of this run could not be revoked; it ends by itself at ${expiresAt}\n`)
      }
    },
  }
}

async function findSandbox(io: Io): Promise<{ id: string; name: string }> {
  const credentials = readCredentials(io)
  if (credentials.token !== undefined && workspaceOfToken(credentials.token) !== undefined)
    throw new Problem(
      'This takes a person who is signed in: a token of a service account opens one workspace alone. Run contentflow login --web',
      'CREDENTIALS',
    )
  const api = openApi(io, credentials)
  const { user, workspaces } = await api.call<Me>('member', 'GET', '/api/v1/auth/me')
  const named = workspaces.find(({ id }) => id === credentials.workspace) ?? (workspaces.length === 1 ? workspaces[0] : undefined)
  if (!named) throw new Problem(`${user.email} is not a member of ${credentials.workspace ?? 'the workspace'}`, 'CREDENTIALS')
  if (named.isSandbox) return named
  const linked = await api.call<{ workspaceId: string; name: string } | null>('member', 'GET', '/api/v1/settings/sandbox')
  if (linked) return { id: linked.workspaceId, name: linked.name }
  throw new Problem(
    `${named.name} has no sandbox, and without one live apps would get what is pushed. An admin links one in Settings`,
    'CREDENTIALS',
  )
}
