/**
 * Calls whose targets a role may be limited to: by types, screens, environments, languages and namespaces. Each is prepared, so
 * that it takes effect when it is let in, and says what it touches.
 */
import { randomUUID } from 'node:crypto'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import { expectStatus, type Client, type Workspace } from '../../builders/builders.ts'
import type { Asked, Names } from './oracle.ts'

/** All names that are drawn. */
export const UNIVERSE = {
  locales: ['ar', 'de', 'en', 'tr'],
  namespaces: ['bank', 'shop'],
  blockKeys: ['offer', 'promo'],
  screens: ['home', 'store'],
  environments: ['live', 'test'],
} as const
type Environment = 'live' | 'test'
/** What one call is about. */
export type Picked = { blockKey: 'offer' | 'promo'; environment: Environment; locale: 'ar' | 'tr'; namespace: 'bank' | 'shop' }
const SCREENS = { promo: 'home', offer: 'store' } as const

export type Prepared = { path: string; body?: object }
export type TargetedCall = {
  route: string
  also(picked: Picked): Asked['also']
  prepare(on: On, picked: Picked): Promise<Prepared>
  /** Puts back what the call took away. */
  after?(on: On, picked: Picked): Promise<unknown>
}
export type On = { ws: Workspace; admin: Client; editor: Client; at(): string }

export async function openTargets(ws: Workspace): Promise<void> {
  for (const key of UNIVERSE.blockKeys) await ws.block(key, { screen: SCREENS[key] })
  // `ar` is there.
  expectStatus(await ws.admin.post('/locales', { code: 'tr' }), 201)
  for (const namespace of UNIVERSE.namespaces)
    expectStatus(await ws.admin.post('/strings', { key: `${namespace}.text`, sourceText: 'Text', namespace }), 201)
}

const LETTING: readonly Permission[] = ['content:publish', 'content:approve']
const SAVING: readonly Permission[] = ['content:write', ...LETTING]
const TEXTS: readonly Permission[] = ['strings:write', 'strings:publish', 'strings:approve']

const ofType = ({ blockKey }: Picked): Names => ({ blockKeys: [blockKey], screens: [SCREENS[blockKey]] })
const draft = (picked: Picked) => [{ anyOf: SAVING, touched: { ...ofType(picked), environments: [] } }]
const moved = (picked: Picked, environments: readonly Environment[] = [picked.environment]) => [
  { anyOf: LETTING, touched: { ...ofType(picked), environments } },
]
const texts = (locales: readonly string[], namespaces: readonly string[]) => [{ anyOf: TEXTS, touched: { locales, namespaces } }]
const key = (environment: Environment) => [{ anyOf: ['keys:manage'] as const, touched: { environments: [environment] } }]
const more = (...permissions: Permission[]) => permissions.map((each) => ({ anyOf: [each], touched: {} }))
/** What a write key may do, which whoever makes one has to hold without limits. */
const OF_WRITE_KEYS = more('analytics:write', 'content:publish', 'content:write', 'strings:publish', 'types:write')

const values = () => ({ values: { '#title': randomUUID() } })
async function made({ ws }: On, { blockKey }: Picked, publish: Environment | false): Promise<string> {
  const { id } = await ws.instance(blockKey, values(), { publish })
  return `/blocks/${blockKey}/instances/${id}`
}
const planned = async (on: On, picked: Picked) => {
  const path = await made(on, picked, false)
  const wish = { targets: [picked.environment], at: on.at() }
  return { path, id: expectStatus(await on.admin.post(`${path}/publish`, wish), 202).data.scheduled.id as string }
}
/** A request of an editor, made while publishing takes a second person. */
async function asked({ admin }: On, ask: () => Promise<string>): Promise<string> {
  expectStatus(await admin.put('/settings/publishing', { approval: true }), 200)
  const id = await ask()
  expectStatus(await admin.put('/settings/publishing', { approval: false }), 200)
  return id
}

const CONTENT: readonly TargetedCall[] = [
  {
    route: 'POST /blocks/:key/instances',
    also: draft,
    prepare: async (_on, { blockKey }) => ({ path: `/blocks/${blockKey}/instances`, body: values() }),
  },
  {
    route: 'PUT /blocks/:key/instances/:id',
    also: draft,
    prepare: async (on, picked) => ({ path: await made(on, picked, false), body: values() }),
  },
  {
    route: 'PUT /blocks/:key/instances/:id',
    also: moved,
    prepare: async (on, picked) => ({ path: await made(on, picked, picked.environment), body: values() }),
  },
  { route: 'DELETE /blocks/:key/instances/:id', also: draft, prepare: async (on, picked) => ({ path: await made(on, picked, false) }) },
  {
    route: 'DELETE /blocks/:key/instances/:id',
    also: moved,
    prepare: async (on, picked) => ({ path: await made(on, picked, picked.environment) }),
  },
  {
    route: 'POST /blocks/:key/instances/:id/duplicate',
    also: draft,
    prepare: async (on, picked) => ({ path: `${await made(on, picked, 'live')}/duplicate`, body: {} }),
  },
  {
    route: 'POST /blocks/:key/instances/:id/restore',
    also: draft,
    prepare: async (on, picked) => {
      const path = await made(on, picked, false)
      expectStatus(await on.admin.delete(path), 200)
      return { path: `${path}/restore`, body: {} }
    },
  },
  {
    route: 'POST /blocks/:key/instances/:id/publish',
    also: moved,
    prepare: async (on, picked) => ({ path: `${await made(on, picked, false)}/publish`, body: { targets: [picked.environment] } }),
  },
  {
    route: 'POST /blocks/:key/instances/:id/publish',
    also: (picked) => moved(picked, ['live', 'test']),
    prepare: async (on, picked) => ({ path: `${await made(on, picked, false)}/publish`, body: { targets: ['live', 'test'], at: on.at() } }),
  },
  {
    route: 'POST /blocks/:key/instances/:id/unpublish',
    also: moved,
    prepare: async (on, picked) => ({
      path: `${await made(on, picked, picked.environment)}/unpublish`,
      body: { targets: [picked.environment] },
    }),
  },
  {
    route: 'POST /blocks/:key/instances/:id/revisions/:number/rollback',
    also: draft,
    prepare: async (on, picked) => {
      const path = await made(on, picked, false)
      expectStatus(await on.admin.put(path, values()), 200)
      return { path: `${path}/revisions/1/rollback`, body: {} }
    },
  },
  {
    route: 'PUT /blocks/:key/instances/:id/schedule/:scheduleId',
    also: moved,
    prepare: async (on, picked) => {
      const { path, id } = await planned(on, picked)
      return { path: `${path}/schedule/${id}`, body: { at: new Date(Date.parse(on.at()) + 1_000).toISOString() } }
    },
  },
  {
    route: 'DELETE /blocks/:key/instances/:id/schedule/:scheduleId',
    also: moved,
    prepare: async (on, picked) => {
      const { path, id } = await planned(on, picked)
      return { path: `${path}/schedule/${id}` }
    },
  },
  {
    route: 'POST /reviews/:id/approve',
    also: (picked) => moved(picked, ['live']),
    prepare: async (on, picked) => {
      const path = await made(on, picked, false)
      const id = await asked(on, async () => expectStatus(await on.editor.post(`${path}/publish`, {}), 202).data.requestId)
      return { path: `/reviews/${id}/approve`, body: {} }
    },
  },
  {
    // That something planned is moved to another moment.
    route: 'POST /reviews/:id/approve',
    also: (picked) => moved(picked, ['live']),
    prepare: async (on, picked) => {
      const { path, id } = await planned(on, { ...picked, environment: 'live' })
      const body = { at: new Date(Date.parse(on.at()) + 5_000).toISOString() }
      const review = await asked(on, async () => {
        expectStatus(await on.editor.put(`${path}/schedule/${id}`, body), 202)
        const { reviews } = expectStatus(await on.admin.get(`/reviews?instanceId=${path.split('/').at(-1)}`), 200).data
        return reviews[0].id as string
      })
      return { path: `/reviews/${review}/approve`, body: {} }
    },
  },
]

const TYPES: readonly TargetedCall[] = [
  {
    route: 'PUT /blocks/:key',
    also: (picked) => [{ anyOf: ['types:write'], touched: ofType(picked) }],
    prepare: async (_on, { blockKey }) => ({ path: `/blocks/${blockKey}`, body: { name: randomUUID() } }),
  },
  {
    // Moved to the screen of the other one: both are touched.
    route: 'PUT /blocks/:key',
    also: ({ blockKey }) => [{ anyOf: ['types:write'], touched: { blockKeys: [blockKey], screens: ['home', 'store'] } }],
    prepare: async (_on, { blockKey }) => ({
      path: `/blocks/${blockKey}`,
      body: { screen: SCREENS[blockKey === 'promo' ? 'offer' : 'promo'] },
    }),
    after: async ({ admin }, { blockKey }) => expectStatus(await admin.put(`/blocks/${blockKey}`, { screen: SCREENS[blockKey] }), 200),
  },
  {
    route: 'DELETE /blocks/:key',
    also: (picked) => [{ anyOf: ['types:write'], touched: ofType(picked) }],
    prepare: async (_on, { blockKey }) => ({ path: `/blocks/${blockKey}` }),
    after: async ({ admin }, { blockKey }) => expectStatus(await admin.post(`/blocks/${blockKey}/restore`, {}), 200),
  },
]

const text = ({ namespace }: Picked) => `/strings/${namespace}.text`
const translation = (picked: Picked) => `${text(picked)}/translations/${picked.locale}`
const inLocale = (picked: Picked) => texts([picked.locale], [picked.namespace])
const translate = async ({ admin }: On, picked: Picked) => expectStatus(await admin.put(translation(picked), { text: randomUUID() }), 200)

const STRINGS: readonly TargetedCall[] = [
  {
    route: 'POST /strings',
    also: ({ namespace }) => texts(['en'], [namespace]),
    prepare: async (_on, { namespace }) => ({ path: '/strings', body: { key: `k.${randomUUID()}`, sourceText: 'x', namespace } }),
  },
  {
    route: 'PUT /strings/:key',
    also: ({ namespace }) => texts(['en'], [namespace]),
    prepare: async (_on, picked) => ({ path: text(picked), body: { sourceText: randomUUID() } }),
  },
  {
    route: 'PUT /strings/:key/translations/:locale',
    also: inLocale,
    prepare: async (_on, picked) => ({ path: translation(picked), body: { text: randomUUID() } }),
  },
  {
    route: 'POST /strings/:key/translations/:locale/approve',
    also: inLocale,
    prepare: async (_on, picked) => ({ path: `${translation(picked)}/approve`, body: { text: randomUUID() } }),
  },
  {
    route: 'DELETE /strings/:key/translations/:locale',
    also: inLocale,
    prepare: async (on, picked) => {
      await translate(on, picked)
      return { path: translation(picked) }
    },
  },
  {
    route: 'POST /strings/approve',
    also: ({ locale }) => texts([locale], UNIVERSE.namespaces),
    prepare: async (on, picked) => {
      for (const namespace of UNIVERSE.namespaces) await translate(on, { ...picked, namespace })
      return { path: '/strings/approve', body: { locale: picked.locale, keys: UNIVERSE.namespaces.map((each) => `${each}.text`) } }
    },
  },
  {
    route: 'POST /strings/imports/:id/apply',
    also: inLocale,
    prepare: async ({ admin }, picked) => {
      const { strings } = expectStatus(await admin.get('/strings?limit=100'), 200).data
      const { sourceText } = strings.find(({ key: each }: { key: string }) => each === `${picked.namespace}.text`)
      const csv = `key,sourceText,${picked.locale}\n${picked.namespace}.text,${sourceText},${randomUUID()}`
      // There is one at a time, and one that was refused still waits.
      for (const { importId, status } of expectStatus(await admin.get('/strings/imports'), 200).data.imports)
        if (status === 'pending') expectStatus(await admin.delete(`/strings/imports/${importId}`), 200)
      const { importId } = expectStatus(await admin.post('/strings/imports', { csv, fileName: 'a.csv' }), 201).data
      return { path: `/strings/imports/${importId}/apply`, body: {} }
    },
  },
  {
    route: 'PUT /strings/:key/sensor',
    also: ({ namespace }) => texts([], [namespace]),
    prepare: async ({ admin }, picked) => {
      expectStatus(await admin.put(`${text(picked)}/sensor`, { enabled: true }), 200)
      return { path: `${text(picked)}/sensor`, body: { enabled: false } }
    },
  },
  {
    route: 'POST /strings/:key/sensor/approve',
    also: ({ namespace }) => texts([], [namespace]),
    prepare: async ({ admin, editor }, picked) => {
      const path = `${text(picked)}/sensor`
      expectStatus(await admin.put(path, { enabled: false }), 200)
      expectStatus(await admin.put('/settings/sensor-approval', { required: true }), 200)
      expectStatus(await editor.put(path, { enabled: true }), 202)
      expectStatus(await admin.put('/settings/sensor-approval', { required: false }), 200)
      return { path: `${path}/approve`, body: {} }
    },
  },
  {
    route: 'POST /locales',
    also: () => [{ anyOf: ['strings:manage'], touched: { locales: ['de'], namespaces: [] } }],
    prepare: async () => ({ path: '/locales', body: { code: 'de' } }),
    after: async ({ admin }) => expectStatus(await admin.delete('/locales/de'), 200),
  },
]

const makeKey = async ({ admin }: On, environment: Environment) =>
  expectStatus(await admin.post('/settings/sdk-keys', { kind: 'secret', environment }), 201).data.id as string

const KEYS: readonly TargetedCall[] = [
  {
    route: 'POST /settings/sdk-keys',
    also: ({ environment }) => key(environment),
    prepare: async (_on, { environment }) => ({ path: '/settings/sdk-keys', body: { kind: 'publishable', environment } }),
  },
  {
    route: 'POST /settings/sdk-keys/:id/rotate',
    also: ({ environment }) => key(environment),
    prepare: async (on, { environment }) => ({ path: `/settings/sdk-keys/${await makeKey(on, environment)}/rotate`, body: {} }),
  },
  {
    route: 'DELETE /settings/sdk-keys/:id',
    also: ({ environment }) => key(environment),
    prepare: async (on, { environment }) => ({ path: `/settings/sdk-keys/${await makeKey(on, environment)}` }),
  },
  {
    route: 'POST /settings/write-keys',
    also: () => [...key('live'), ...OF_WRITE_KEYS],
    prepare: async () => ({ path: '/settings/write-keys', body: {} }),
  },
  {
    route: 'POST /settings/read-keys',
    also: () => [...key('live'), ...more('people:contacts', 'people:read')],
    prepare: async () => ({ path: '/settings/read-keys', body: {} }),
  },
]

export const TARGETED = { content: CONTENT, keys: KEYS, strings: STRINGS, types: TYPES }
