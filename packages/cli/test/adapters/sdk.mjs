/** The adapter of the JavaScript client. */
import { createClient } from '../../../sdk/src/index.ts'
import { serve } from './adapter.ts'

const stores = new Map()
let client

function storageOf(name) {
  const values = stores.get(name) ?? new Map()
  stores.set(name, values)
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) }
}

function open({ key, baseUrl, storage, locale }) {
  client = createClient({ key, baseUrl, storage: storageOf(storage), ...(locale !== undefined && { locale }) })
  client.start()
}

await serve(async (command) => {
  if (command.do === 'open') return open(command)
  if (!client) return undefined
  switch (command.do) {
    case 'close':
      return client.stop()
    case 'identify':
      return client.identify({
        consent: command.consent,
        ...(command.userId !== undefined && { userId: command.userId }),
        ...(command.traits !== undefined && { traits: command.traits }),
      })
    case 'logout':
      return client.logout()
    case 'erase':
      return client.erase()
    case 'track':
      return client.track(command.type)
    case 'flush':
      return client.flush()
    case 'sync':
      return client.sync()
    case 'blocks':
      return client.blocks()
    case 'text':
      return client.t(command.key, command.values)
    default:
      throw new Error(`unknown command ${command.do}`)
  }
})
client?.stop()
