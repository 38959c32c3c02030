/** What the client of a test is answered in place of a server: the forms of the documents, with what the test set. */
import type { Campaign } from '../campaign-types.ts'
import type { State } from '../machine/state.ts'
import type { AnalyticsConsent, Block, Config, Features, Locale, StringsCatalog } from '../types.ts'
import { asObject } from '../tools/objects.ts'

/** What the client of a test knows at the beginning. All of it may be left out. */
export type TestContent = {
  /** As they would be delivered, highest priority first. `testBlock` makes one of its values. */
  blocks?: readonly Block[]
  /** Texts by key. */
  strings?: Readonly<Record<string, string>>
  /** The language of the texts; `en` when left out. */
  locale?: string
  /** Texts that are sensors. */
  smartKeys?: readonly string[]
  /** Switches of the workspace; one left out counts as on. */
  features?: Features
  /** By placement. */
  campaigns?: Readonly<Record<string, readonly Campaign[]>>
  locales?: readonly Locale[]
  /** Somebody is signed in from the beginning. */
  userId?: string
  /** `granted` when left out: events are taken. */
  consent?: AnalyticsConsent
  /** `data` of the answer to any other request, such as `GET /inbox`; undefined answers 404. */
  respond?: (method: string, path: string, body: unknown) => unknown
}

/** What the test set; grows with every change, so that an answer of before counts as another one. */
export type Fixtures = {
  content: TestContent
  revision: number
  /** The person left: what is aimed at somebody is not delivered until somebody is there again. */
  isGone: boolean
  isOffline: boolean
  topics: string[]
}

type Answered = { status: number; data?: unknown; etag?: string }
type Asked = { method: string; path: string; body: Readonly<Record<string, unknown>>; etag: string | undefined }

const etagOf = ({ revision, isGone }: Fixtures) => `"${revision}${isGone ? '-everyone' : ''}"`

function configOf({ features = {} }: TestContent): Config {
  return { features, pollIntervalSeconds: 30, popupDefaultFrequency: { per: 'day', max: 1 } }
}

function blocksOf({ content: { blocks = [] }, isGone }: Fixtures): readonly Block[] {
  return isGone ? blocks.filter(({ segment, source }) => segment === undefined && source === undefined) : blocks
}

function catalogOf({ content, revision }: Fixtures): StringsCatalog {
  const { locale = 'en', strings = {}, smartKeys = [] } = content
  return { locale, strings, smartKeys, withheldKeys: [], version: String(revision) }
}

/** The same as the client would know after it was answered. */
export function contentOf(fixtures: Fixtures, state: State | undefined): Pick<State, 'content' | 'texts'> {
  const [etag, view] = [etagOf(fixtures), `${state?.locale ?? ''} `]
  return {
    content: { blocks: blocksOf(fixtures), config: configOf(fixtures.content), etag, view },
    texts: { catalog: catalogOf(fixtures), etag, view },
  }
}

/** Stands for `fetch`. Only what the client reads of an answer is there: some runners have no `Response`. */
export function answerAs(fixtures: Fixtures): typeof globalThis.fetch {
  const answer = async (address: unknown, init: RequestInit = {}) => {
    if (fixtures.isOffline) throw new TypeError('the test says that the server is away')
    const headers = init.headers as Record<string, string> | undefined
    const asked: Asked = {
      method: init.method ?? 'GET',
      path: String(address).replace(/^https:\/\/[^/]+\/sdk\/v1/, ''),
      body: typeof init.body === 'string' ? asObject(JSON.parse(init.body)) : {},
      etag: headers?.['If-None-Match'],
    }
    const { status, data, etag } = readAnswer(fixtures, asked) ?? writeAnswer(fixtures, asked) ?? ownAnswer(fixtures, asked)
    const said = new Map([['x-cf-env', 'test'], ...(etag === undefined ? [] : [['etag', etag] as const])])
    const body = status === 304 ? '' : JSON.stringify(status < 300 ? { success: true, data } : { success: false, error: 'not found' })
    return { status, headers: { get: (name: string) => said.get(name.toLowerCase()) ?? null }, text: async () => body }
  }
  return answer as unknown as typeof globalThis.fetch
}

function readAnswer(fixtures: Fixtures, { method, path, body, etag }: Asked): Answered | undefined {
  const { content } = fixtures
  switch (`${method} ${path.replace(/\?.*/, '')}`) {
    case 'GET /sync':
    case 'GET /strings': {
      const now = etagOf(fixtures)
      if (etag === now) return { status: 304, etag: now }
      const data = path.startsWith('/sync') ? { blocks: blocksOf(fixtures), config: configOf(content) } : catalogOf(fixtures)
      return { status: 200, data, etag: now }
    }
    case 'GET /locales':
      return { status: 200, data: { locales: content.locales ?? [] } }
    case 'POST /campaigns':
      return { status: 200, data: campaignsOf(content, body['placementId']) }
    default:
      return undefined
  }
}

function campaignsOf({ campaigns = {} }: TestContent, placement: unknown): unknown {
  if (typeof placement !== 'string') return Object.values(campaigns).flat()
  return Object.hasOwn(campaigns, placement) ? campaigns[placement] : []
}

function writeAnswer(fixtures: Fixtures, { method, path, body }: Asked): Answered | undefined {
  const done = (data: unknown): Answered => ({ status: 200, data })
  const list = (name: string) => (Array.isArray(body[name]) ? (body[name] as unknown[]).length : 0)
  switch (`${method} ${path}`) {
    case 'POST /events':
      return { status: 202, data: { accepted: list('events'), dropped: 0, dropReasons: {} } }
    case 'POST /identify': {
      const { consent, userId } = body
      fixtures.isGone = consent !== true
      const identity = { status: consent === true && userId !== undefined ? 'identified' : 'anonymous', userId: userId ?? null }
      return done({ consent, results: { identity }, segments: [] })
    }
    case 'POST /logout':
      fixtures.isGone = true
      return done({})
    case 'DELETE /identify':
      fixtures.isGone = true
      return done({ localWipeSafe: true })
    case 'POST /track-event':
      return done({ accepted: true })
    case 'POST /profile':
      return done({ stored: true })
    case 'POST /consent':
    case 'POST /consent/full':
      return done({ channels: body['channels'] })
    case 'POST /register-push':
      return done({ registered: true, linkage: { status: 'identified' } })
    case 'DELETE /register-push':
      return done({ removed: true })
    case 'PATCH /push/preferences':
      return done({ stored: true, preferences: body })
    case 'POST /location':
      return done({ accepted: list('points'), dropped: 0 })
    default:
      return path.startsWith('/push/topics') ? done({ topics: topicsAfter(fixtures, method, path, body['topic']) }) : undefined
  }
}

function topicsAfter(fixtures: Fixtures, method: string, path: string, topic: unknown): readonly string[] {
  if (method === 'POST') fixtures.topics = [...new Set([...fixtures.topics, String(topic)])]
  if (method === 'DELETE') fixtures.topics = fixtures.topics.filter((each) => `/push/topics/${encodeURIComponent(each)}` !== path)
  return fixtures.topics
}

function ownAnswer({ content }: Fixtures, { method, path, body }: Asked): Answered {
  const data = content.respond?.(method, path, body)
  return data === undefined ? { status: 404 } : { status: 200, data }
}
