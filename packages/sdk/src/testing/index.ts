/**
 * A client for tests of applications: the real one, fed by the test in place of a server. It opens no connection and sets no timer,
 * so it works in jsdom, Jest, Vitest and node:test, with faked time too, and nothing has to be waited for or closed.
 */
import { createClient } from '../index.ts'
import type { Stepped } from '../shell/engine.ts'
import type { State } from '../machine/state.ts'
import type { AnyEvents, AnyTexts, TypedClient } from '../typed.ts'
import type { Block, Features, TrackedEvent } from '../types.ts'
import { answerAs, contentOf, type Fixtures, type TestContent } from './answers.ts'

export type { TestContent } from './answers.ts'
export { testBlock } from './test-block.ts'

/** A write that is no event: what the app asked for, such as `identify`, and with what. */
export type TestWrite = { name: string; body: Readonly<Record<string, unknown>> }

export type TestClient<Blocks extends object, Texts extends object, Events extends object> = {
  /** Give it to the app, for example to `<ContentFlowProvider client={client}>`. */
  client: TypedClient<Blocks, Texts, Events>
  /** Another delivery: exactly these blocks. The snapshot is the new one when this returns. */
  setBlocks(blocks: readonly Block[]): void
  /** Exactly these texts, in the language of before unless another is named. */
  setStrings(strings: Readonly<Record<string, string>>, locale?: string): void
  /** Switches; those left out stay as they are. */
  setFeatures(features: Features): void
  /** As if the server were away, or back. */
  setOffline(isOffline: boolean): void
  /** The events that the app tracked and that would be sent, oldest first. */
  tracked(): readonly TrackedEvent[]
  /** The other writes, oldest first. */
  writes(): readonly TestWrite[]
  /** Forgets what was tracked and written. */
  clear(): void
}

/** Makes one. The snapshot has everything at once, before the client is started too. */
export function createTestClient<
  Blocks extends object = Record<string, Block['values']>,
  Texts extends object = AnyTexts,
  Events extends object = AnyEvents,
>(content: TestContent = {}): TestClient<Blocks, Texts, Events> {
  const fixtures: Fixtures = { content: { ...content }, revision: 0, isGone: false, isOffline: false, topics: [] }
  const events: TrackedEvent[] = []
  const writes: TestWrite[] = []
  let ids = 0
  const client = createClient({
    key: 'test_cfpk_test',
    baseUrl: 'https://contentflow.invalid/sdk/v1',
    stream: false,
    storage: { getItem: () => null, setItem: () => undefined },
    newId: () => `test-${++ids}`,
    random: () => 0,
    schedule: () => () => undefined,
    fetch: answerAs(fixtures),
    ...(content.locale !== undefined && { locale: content.locale }),
  })
  let last: Stepped | undefined
  client.on('step', (told) => {
    const step = told as Stepped
    last = step
    const { event } = step
    // What is set here is known already, so the first drawing is not followed by another one.
    if (event.type === 'start') patch({ isAnswered: true })
    if (event.type !== 'enqueue') return
    const { id, kind, body } = event.item
    // Without consent an event is not taken in at all.
    if (!step.state.items.some((item) => item.id === id)) return
    if (kind === 'event') events.push(body as TrackedEvent)
    else writes.push({ name: kind, body })
    step.dispatch({ type: 'ask', lane: 'outbox' })
  })
  /** Sets a part of what the client knows, in whichever phase it is. */
  const patch = (part: Partial<State>) => last?.dispatch({ type: 'note', patch: part })
  const deliver = (next: Partial<TestContent>) => {
    fixtures.content = { ...fixtures.content, ...next }
    fixtures.revision++
    patch(contentOf(fixtures, last?.state))
  }
  // The first step tells how to reach the machine.
  client.flush()
  const { userId, consent = 'granted' } = content
  patch({ isAnswered: true, environment: 'test', link: { userId, consent, renewAt: undefined } })
  deliver({})
  return {
    client: client as unknown as TypedClient<Blocks, Texts, Events>,
    setBlocks: (blocks) => deliver({ blocks }),
    setStrings: (strings, locale = fixtures.content.locale ?? 'en') => deliver({ strings, locale }),
    setFeatures: (features) => deliver({ features: { ...fixtures.content.features, ...features } }),
    setOffline: (isOffline) => {
      fixtures.isOffline = isOffline
      patch({ isOffline })
      // What failed meanwhile is asked again now; there is no timer that would.
      if (!isOffline) last?.dispatch({ type: 'online' })
    },
    tracked: () => [...events],
    writes: () => [...writes],
    clear: () => {
      events.length = 0
      writes.length = 0
    },
  }
}
