import { createClient } from '../../src/index.ts'

const query = new URLSearchParams(location.search)
const client = createClient({ key: query.get('key') ?? '', baseUrl: query.get('baseUrl') ?? '', debug: query.has('debug') })
client.start()
Object.assign(globalThis, {
  client,
  open: async () => (await import('../../src/devtools/index.ts')).openDevtools(client),
})
