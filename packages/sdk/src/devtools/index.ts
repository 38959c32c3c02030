/** A panel for developers over the page: what the client knows, why each block is there, and what is sent and answered. */
import { asObject } from '../tools/objects.ts'
import { linesOf } from '../tools/lines.ts'
import type { Stepped } from '../shell/engine.ts'
import type { Client } from '../types.ts'
import { createPanel, type Facts } from './panel.ts'

export type DevtoolsOptions = {
  /** Whether the panel is open at once; otherwise its button is there alone. */
  isOpen?: boolean
}

/** Lines that are kept; the oldest go first. */
const MOST_LINES = 200

const opened = new WeakMap<Client, () => void>()

/**
 * Puts the panel into the page, once for each client, and returns what takes it away again. It loads nothing and asks nothing by
 * itself. Leave it out of production: whoever sees the page sees it.
 */
export function openDevtools(client: Client, { isOpen = false }: DevtoolsOptions = {}): () => void {
  const known = opened.get(client)
  if (known) return known
  const facts: Facts = { snapshot: client.snapshot(), lines: [], segments: [] }
  const panel = createPanel(isOpen)
  let isDue = false
  const draw = () => {
    isDue = false
    panel.draw(facts)
  }
  const stops = [
    client.on('step', (step) => {
      take(facts, step as Stepped)
      facts.snapshot = client.snapshot()
      // Many steps come together; the page is drawn once for all of them.
      if (!isDue) requestAnimationFrame(draw)
      isDue = true
    }),
    client.subscribe(() => (facts.snapshot = client.snapshot())),
  ]
  // What is known before anything happens is only told with a step, and this one changes nothing else.
  client.flush()
  const close = () => {
    opened.delete(client)
    for (const stop of stops) stop()
    panel.remove()
  }
  opened.set(client, close)
  return close
}

function take(facts: Facts, step: Stepped): void {
  const { event, state } = step
  facts.state = state
  const at = new Date().toLocaleTimeString()
  facts.lines = [...facts.lines, ...linesOf(step).map((text) => `${at} ${text}`)].slice(-MOST_LINES)
  if (event.type !== 'answered' || event.lane !== 'outbox') return
  const { segments } = asObject(asObject(event.answer.body)['data'])
  if (Array.isArray(segments)) facts.segments = segments.map(String)
}
