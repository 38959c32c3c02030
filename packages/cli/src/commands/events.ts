import { openApi } from '../api.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean; device?: string; user?: string; test?: boolean; once?: boolean }
type Event = {
  id: string
  type: string
  at: string
  deviceId: string
  blockKey: string | null
  screen: string | null
  properties: object | null
}

const EVERY_MS = 2_000
/** Events of one request. */
const LIMIT = 100
/** Ids that are remembered, so that no event is shown twice. */
const REMEMBERED = 10_000

/** Events as they arrive, oldest first, until it is stopped. */
export async function eventsTail(io: Io, { json, device, user, test, once }: Options): Promise<Exit> {
  if ((device === undefined) === (user === undefined)) throw new Problem('Of whom? Name one of --device and --user', 'USAGE')
  const whose = device === undefined ? `users/${encodeURIComponent(user ?? '')}` : `devices/${encodeURIComponent(device)}`
  const path = `/api/v1/${whose}/events?limit=${LIMIT}&environment=${test ? 'test' : 'live'}`
  const api = openApi(io)
  const told = new Set<string>()
  for (;;) {
    const { events } = await api.call<{ events: Event[] }>('member', 'GET', path)
    for (const event of events.toReversed()) {
      if (told.has(event.id)) continue
      told.add(event.id)
      io.out(json ? `${JSON.stringify(event)}\n` : describe(event))
    }
    for (const id of told) {
      if (told.size <= REMEMBERED) break
      told.delete(id)
    }
    if (once) return SAME
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}

function describe({ at, type, deviceId, blockKey, screen, properties }: Event): string {
  const said = [at, type, deviceId, blockKey ?? '-', screen ?? '-', ...(properties ? [JSON.stringify(properties)] : [])]
  return `${said.join('  ')}\n`
}
