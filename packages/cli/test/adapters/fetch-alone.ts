/**
 * A client written with `fetch` alone, from docs/another-language.md: as little as keeps every rule. It shows that the rules can be
 * kept without the SDK, and it is what a port to another language may begin with.
 */
import { randomUUID } from 'node:crypto'
import { serve, type Command } from './adapter.ts'

type Block = { instanceId: string; segment?: string; source?: string }
type Write = { method: string; path: string; body?: Record<string, unknown>; event?: Record<string, unknown> }
type Kept = {
  deviceId: string
  consent?: boolean
  userId?: string | undefined
  blocks: Block[]
  etag?: string | undefined
  texts: Record<string, string>
  writes: Write[]
}

const stores = new Map<string, Kept>()
const empty = (): Kept => ({ deviceId: randomUUID(), blocks: [], texts: {}, writes: [] })
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

class Client {
  #isOver = false
  #sending: Promise<void> | undefined
  readonly #options: Command
  readonly kept: Kept

  constructor(options: Command) {
    this.#options = options
    this.kept = stores.get(options['storage']) ?? empty()
    stores.set(options['storage'], this.kept)
  }

  close(): void {
    this.#isOver = true
  }

  /** undefined: no answer, or one that is not the service's. */
  async #ask(method: string, path: string, { body, etag }: { body?: object; etag?: string | undefined } = {}) {
    try {
      const response = await fetch(this.#options['baseUrl'] + path, {
        method,
        headers: {
          'x-cf-key': this.#options['key'],
          ...(!this.#isLeaving() && { 'x-cf-device': this.kept.deviceId }),
          ...(method === 'DELETE' && { 'x-cf-device': this.kept.deviceId }),
          ...(etag !== undefined && { 'if-none-match': etag }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      })
      const text = await response.text()
      const answer = { status: response.status, headers: response.headers, data: undefined as any }
      if (answer.status === 304) return answer
      const envelope = JSON.parse(text)
      if (typeof envelope?.success !== 'boolean') return undefined
      if (answer.status === 401) this.#isOver = true
      return { ...answer, data: envelope.data }
    } catch {
      return undefined
    }
  }

  #isLeaving(): boolean {
    return this.kept.writes.some(({ path, method }) => path === '/logout' || method === 'DELETE')
  }

  async sync(): Promise<void> {
    if (this.#isOver) return
    const { locale } = this.#options
    const query = locale === undefined ? '' : `?locale=${encodeURIComponent(locale)}`
    const [content, texts] = await Promise.all([
      this.#ask('GET', `/sync${query}`, { etag: this.kept.etag }),
      this.#ask('GET', `/strings${query}`),
    ])
    if (content?.status === 200) {
      this.kept.blocks = content.data.blocks
      this.kept.etag = content.headers.get('etag') ?? undefined
    }
    if (texts?.status === 200) this.kept.texts = texts.data.strings
  }

  write(write: Write): Promise<void> {
    if (write.event && this.kept.consent === false) return Promise.resolve()
    this.kept.writes.push(write)
    return write.event ? Promise.resolve() : this.flush()
  }

  leave(write: Write): Promise<void> {
    this.kept.blocks = this.kept.blocks.filter(({ segment, source }) => segment === undefined && source === undefined)
    this.kept.etag = undefined
    return this.write(write)
  }

  /** Starts sending and does not wait for it: what fails is repeated behind. */
  async flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined))
    await Promise.race([this.#sending, pause(200)])
  }

  async #send(): Promise<void> {
    let failures = 0
    let limit = 100
    while (!this.#isOver && this.kept.writes.length > 0) {
      const [first] = this.kept.writes as [Write]
      const isEvent = ({ event }: Write) => event !== undefined
      const others = this.kept.writes.findIndex((each) => !isEvent(each))
      const batch = isEvent(first) ? this.kept.writes.slice(0, Math.min(limit, others < 0 ? limit : others)) : [first]
      const body = isEvent(first) ? { events: batch.map(({ event }) => event) } : first.body
      const answer = await this.#ask(
        first.method,
        first.path,
        first.method === 'DELETE' ? {} : { body: { ...body, deviceId: this.kept.deviceId } },
      )
      const isAgain = !answer || answer.status === 429 || answer.status >= 500 || answer.status === 207
      if (isAgain) {
        const least = Number(answer?.headers.get('retry-after') ?? 0) * 1_000
        await pause(Math.max(1_000 * 2 ** Math.min(failures++, 8), least) * (1 + Math.random() / 2))
        continue
      }
      failures = 0
      if (answer.status >= 400 && batch.length > 1) {
        limit = Math.ceil(batch.length / 2)
        continue
      }
      this.kept.writes.splice(0, batch.length)
      if (first.method !== 'DELETE' || answer.data?.localWipeSafe !== true) continue
      // Writes that wait behind the erasure belong to the next person on this device.
      const { writes } = this.kept
      Object.assign(this.kept, { consent: undefined, userId: undefined, etag: undefined, ...empty(), writes })
    }
  }
}

let client: Client | undefined

await serve(async (command) => {
  if (command.do === 'open') {
    client = new Client(command)
    return void client.sync()
  }
  if (!client) return undefined
  switch (command.do) {
    case 'close':
      return client.close()
    case 'identify': {
      const { consent, userId, traits } = command
      client.kept.consent = consent
      // With a denial nothing about the person leaves the device, and events that wait are dropped.
      if (!consent) client.kept.writes = client.kept.writes.filter(({ event }) => !event)
      return client.write({ method: 'POST', path: '/identify', body: consent ? { consent, userId, traits } : { consent } })
    }
    case 'logout':
      return client.leave({ method: 'POST', path: '/logout' })
    case 'erase':
      return client.leave({ method: 'DELETE', path: '/identify' })
    case 'track':
      return client.write({ method: 'POST', path: '/events', event: { type: command['type'], eventId: randomUUID() } })
    case 'flush':
      return client.flush()
    case 'sync':
      return client.sync()
    case 'blocks':
      return client.kept.blocks
    case 'text': {
      const text = Object.hasOwn(client.kept.texts, command['key']) ? client.kept.texts[command['key']] : undefined
      return (text ?? command['key']).replace(/\{(\w+)\}/g, (all: string, name: string) => command['values']?.[name] ?? all)
    }
    default:
      throw new Error(`unknown command ${command.do}`)
  }
})
client?.close()
process.exit(0)
