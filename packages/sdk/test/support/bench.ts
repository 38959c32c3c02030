/** A client and the scripted server it speaks to, with time moved by hand. */
import { createClient } from '../../src/index.ts'
import type { Client, ClientEvents, ClientOptions } from '../../src/types.ts'
import { manualTime, type ManualTime } from './manual-time.ts'
import { scriptedServer, type ScriptedServer } from './scripted-server.ts'

export const KEY = `shop_cfpk${'a'.repeat(40)}`

export type Bench = {
  server: ScriptedServer
  time: ManualTime
  client: Client
  /** Everything told but changes of the snapshot. */
  heard: { name: string; value: unknown }[]
  /** Codes of the errors told. */
  errors(): (string | undefined)[]
}

export async function bench(options: Partial<ClientOptions> = {}): Promise<Bench> {
  const server = await scriptedServer()
  return { server, ...clientFor(server, options) }
}

/** Another client of the same server. */
export function clientFor(server: ScriptedServer, options: Partial<ClientOptions> = {}): Omit<Bench, 'server'> {
  const time = manualTime()
  const client = createClient({
    key: KEY,
    baseUrl: `${server.baseUrl}/`,
    now: time.now,
    schedule: time.schedule,
    random: () => 0,
    ...options,
  })
  const heard: Bench['heard'] = []
  for (const name of ['error', 'offline', 'online', 'rejected', 'dropped', 'identity_refused'] as const)
    client.on(name, (value: ClientEvents[typeof name]) => heard.push({ name, value }))
  return {
    time,
    client,
    heard,
    errors: () => heard.filter(({ name }) => name === 'error').map(({ value }) => (value as { code?: string }).code),
  }
}
