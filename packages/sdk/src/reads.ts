/** Reads that an app makes now and then; their answers are those of the documents. */
import type { Call, JsonObject } from './machine/answer.ts'
import type { Engine } from './shell/engine.ts'
import type { State } from './machine/state.ts'
import type { ClientRequest } from './campaign-types.ts'
import type { ConsentPreset, Locale } from './types.ts'

type Ask = Engine['call']

const get = async (call: Ask, path: string) => (await call(() => ({ method: 'GET', path })))['data']

async function topics(call: Ask, method: Call['method'], path = '', body?: JsonObject): Promise<readonly string[]> {
  const answer = await call(({ deviceId }) => ({ method, path: `/push/topics${path}`, deviceId, body }))
  const { topics: all } = (answer['data'] ?? {}) as { topics?: unknown }
  return Array.isArray(all) ? all.filter((topic) => typeof topic === 'string') : []
}

export const locales = async (call: Ask) => ((await get(call, '/locales')) as { locales: readonly Locale[] }).locales
export const consentPreset = async (call: Ask, name: string) =>
  (await get(call, `/consent/config/${encodeURIComponent(name)}`)) as ConsentPreset
export const locationOfAddress = (call: Ask) => get(call, '/location/ip')
export const pushTopics = (call: Ask) => topics(call, 'GET')
export const subscribeTopic = (call: Ask, topic: string) => topics(call, 'POST', '', { topic })
export const unsubscribeTopic = (call: Ask, topic: string) => topics(call, 'DELETE', `/${encodeURIComponent(topic)}`)

/** A person who leaves is nobody already: what is theirs is neither read nor written. */
const isLeaving = ({ items, link: { userId } }: State) =>
  items.some(
    ({ kind, body }) =>
      kind === 'logout' ||
      kind === 'erase' ||
      (kind === 'identify' && (body['consent'] === false || (userId !== undefined && (body['userId'] ?? userId) !== userId))),
  )
export const request = (call: Ask, asked: ClientRequest) =>
  call((state) => ({ ...asked, locale: state.locale, deviceId: isLeaving(state) ? undefined : state.deviceId }))
