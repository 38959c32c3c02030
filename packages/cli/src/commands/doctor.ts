import { workspaceOfToken } from '@contentflow/core/access/token.ts'
import { openApi, sessionOf, type Api } from '../api.ts'
import { readCredentials, VARIABLES } from '../credentials.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Check = { name: string; isFine: boolean; says: string }

/** Signatures and sessions bear this much. */
const CLOCK_SECONDS = 60

/** Tries everything there is a credential for; ends with an error when something does not work. */
export async function doctor(io: Io, { json }: { json?: boolean }): Promise<Exit> {
  const api = openApi(io)
  const checks: Check[] = []
  const tell = (check: Check) => {
    checks.push(check)
    if (!json) io.out(`${check.isFine ? 'ok  ' : 'FAIL'} ${check.name}: ${check.says}\n`)
  }
  await attempt('address', tell, () => reach(api, tell))
  if (checks.every(({ isFine }) => isFine)) await tryKeys(io, api, tell)
  if (json) io.out(`${JSON.stringify({ checks })}\n`)
  const failed = checks.filter(({ isFine }) => !isFine).length
  if (failed > 0) throw new Problem(`${failed} of ${checks.length} do not work`)
  return SAME
}

/** An error becomes the text of the check. */
async function attempt(name: string, tell: (check: Check) => void, work: () => Promise<string>): Promise<void> {
  try {
    tell({ name, isFine: true, says: await work() })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    tell({ name, isFine: false, says: error.message })
  }
}

async function reach(api: Api, tell: (check: Check) => void): Promise<string> {
  const started = performance.now()
  const health = await api.ask('none', 'GET', '/healthz')
  const took = Math.round(performance.now() - started)
  if (health.status !== 200) throw new Problem(`the server answers ${health.status}`, 'UNREACHABLE')
  const date = Date.parse(health.headers.get('date') ?? '')
  const off = Number.isNaN(date) ? 0 : Math.round((Date.now() - date) / 1000)
  const isFine = Math.abs(off) <= CLOCK_SECONDS
  const { info } = (await api.ask('none', 'GET', '/api/v1/openapi.json')).body as { info?: { version?: string } }
  tell({ name: 'version', isFine: true, says: `the server is ${info?.version ?? 'of an unknown version'}` })
  tell({
    name: 'clock',
    isFine,
    says: isFine ? 'the same as the server' : `${Math.abs(off)} s ${off > 0 ? 'ahead of' : 'behind'} the server`,
  })
  return `${api.base} answers in ${took} ms`
}

async function tryKeys(io: Io, api: Api, tell: (check: Check) => void): Promise<void> {
  const held = readCredentials(io)
  const maySignIn = held.token !== undefined || (io.env['CONTENTFLOW_EMAIL'] && io.env['CONTENTFLOW_PASSWORD'])
  if (held.key) await attempt(VARIABLES.key, tell, () => tryAppKey(api))
  if (held.writeKey)
    await attempt(VARIABLES.writeKey, tell, async () => {
      const { blocks } = await api.call<{ blocks: unknown[] }>('write', 'GET', '/api/v1/cards/sync')
      return `may declare block types and texts; there are ${blocks.length} block types`
    })
  if (held.readKey)
    await attempt(VARIABLES.readKey, tell, async () => {
      // A valid key gets 404, because the device does not exist.
      const { status } = await api.ask('read', 'GET', '/api/v1/read/devices/contentflow-doctor')
      if (status !== 404 && status !== 200) await api.call('read', 'GET', '/api/v1/read/devices/contentflow-doctor')
      return 'may read people'
    })
  if (maySignIn) await attempt('session', tell, () => trySession(io, api))
  if (!held.key && !held.writeKey && !held.readKey && !maySignIn)
    tell({ name: 'keys', isFine: true, says: `none is set: ${VARIABLES.writeKey}, ${VARIABLES.key}, or contentflow login` })
}

async function tryAppKey(api: Api): Promise<string> {
  const path = '/sdk/v1/locales'
  await api.call('app', 'GET', path)
  const { headers } = await api.ask('app', 'GET', path)
  const limit = headers.get('x-ratelimit-limit')
  const isSecret = api.credentials.key?.startsWith('pk_') === true
  const kind = isSecret ? 'a secret key: for servers only, never in an app' : 'for applications'
  return `${kind}; ${headers.get('x-cf-env')} content${limit === null ? '' : `, ${limit} requests a minute for everybody together (an app that is opened takes about five)`}`
}

async function trySession(io: Io, api: Api): Promise<string> {
  const { token } = readCredentials(io)
  const ofService = token === undefined ? undefined : workspaceOfToken(token)
  if (token !== undefined && ofService !== undefined) {
    await sessionOf(api.base, token)
    return `a service account of the workspace ${ofService}`
  }
  const { user, workspaces } = await api.call<{
    user: { email: string }
    workspaces: { id: string; name: string; role: string; canApprove: boolean }[]
  }>('member', 'GET', '/api/v1/auth/me')
  const id = readCredentials(io).workspace
  const workspace = workspaces.find((entry) => entry.id === id) ?? (workspaces.length === 1 ? workspaces[0] : undefined)
  if (!workspace) throw new Problem(`${user.email} is not a member of ${id ?? 'the workspace'}`, 'CREDENTIALS')
  return `${user.email} is ${workspace.role} of ${workspace.name}${workspace.canApprove ? ', and may approve' : ''}`
}
