/** A directory that people sign in with: a whole provider of OpenID Connect in this process. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export type DirectoryPerson = { email?: string; email_verified?: boolean; name?: string; groups?: string[] }

export type Directory = {
  issuer: string
  /** By what is typed into its login page, which is their subject too. */
  people: Map<string, DirectoryPerson>
  clientId: string
  clientSecret: string
  close(): Promise<void>
}

type Served = { id: string; url: string }

/** `at`: the provider that it serves, and where that server is reached. */
export async function openDirectory(at: Served | undefined, { clientId = 'contentflow' } = {}): Promise<Directory> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: Directory['people'] = new Map()
  const clientSecret = 'a secret of the directory'
  const root = at && `${at.url}/api/v1/auth/oidc/${at.id}`
  const provider = quietly(
    () =>
      new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${root ?? issuer}/callback`],
            post_logout_redirect_uris: at ? [`${at.url}/sign-in`] : [],
            ...(root && { backchannel_logout_uri: `${root}/backchannel-logout`, backchannel_logout_session_required: true }),
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
        // Its own calls of nobody on this machine would not reach the server that is tested.
        fetch: (address, options) => fetch(address, withoutDispatcher(options)),
        cookies: { keys: ['a key of the tests'] },
        findAccount: (_ctx, sub) => {
          const person = people.get(sub)
          return person && { accountId: sub, claims: () => ({ sub, ...person }) }
        },
      }),
  )
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return { issuer, people, clientId, clientSecret, close: () => closeServer(server) }
}

function withoutDispatcher(options: object | undefined): RequestInit {
  const { dispatcher: _guarded, ...rest } = (options ?? {}) as { dispatcher?: unknown }
  return rest
}

/** What it prints of its defaults, which are those of tests on purpose, is of no use to anybody. */
function quietly<T>(work: () => T): T {
  const { info, warn } = console
  console.info = console.warn = () => undefined
  try {
    return work()
  } finally {
    Object.assign(console, { info, warn })
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
