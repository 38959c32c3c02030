/** What the panel shows, drawn into a shadow root, so that neither the page's styles nor its own reach the other. */
import type { State } from '../machine/state.ts'
import { aimOf, nameOf } from '../tools/lines.ts'
import type { Snapshot } from '../types.ts'
import { STYLES } from './styles.ts'

export type Facts = {
  snapshot: Snapshot
  /** undefined until the first step was told. */
  state?: State
  lines: readonly string[]
  /** Of the person, as the last identify was answered. */
  segments: readonly string[]
}

export type Panel = { draw(facts: Facts): void; remove(): void }

/** An element with attributes and what is in it; texts are never read as HTML. */
function el(name: string, attributes: Record<string, string>, ...inside: (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...inside)
  return made
}

export function createPanel(isOpen: boolean): Panel {
  const host = el('contentflow-devtools', { lang: 'en', dir: 'ltr', role: 'complementary', 'aria-label': 'ContentFlow developer tools' })
  const root = host.attachShadow({ mode: 'open' })
  addStyles(root)
  const button = el('button', { type: 'button', 'aria-controls': 'panel' }, 'ContentFlow')
  const facts = el('div', {})
  const blocks = el('div', {})
  const waiting = el('div', {})
  const lines = el('ol', {})
  const log = el('div', { role: 'log', 'aria-label': 'What the client did', 'aria-live': 'off', tabindex: '0' }, lines)
  const panel = el(
    'section',
    { id: 'panel', 'aria-label': 'ContentFlow, for developers' },
    el('h2', {}, 'ContentFlow'),
    facts,
    el('h3', {}, 'Blocks'),
    blocks,
    el('h3', {}, 'To send'),
    waiting,
    el('h3', {}, 'Log'),
    log,
  )
  const show = (isShown: boolean) => {
    panel.hidden = !isShown
    button.setAttribute('aria-expanded', String(isShown))
  }
  button.addEventListener('click', () => show(panel.hidden === true))
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || panel.hidden) return
    show(false)
    button.focus()
  })
  show(isOpen)
  root.append(button, panel)
  document.body.append(host)
  return {
    draw: (known) => {
      facts.replaceChildren(factList(known))
      blocks.replaceChildren(blockTable(known))
      waiting.replaceChildren(writeList(known))
      const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 8
      lines.replaceChildren(...known.lines.map((line) => el('li', {}, line)))
      if (isAtEnd) log.scrollTop = log.scrollHeight
    },
    remove: () => host.remove(),
  }
}

/** Sheets that scripts make are allowed where a policy forbids inline styles; older browsers and jsdom have none. */
function addStyles(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
  } catch {
    root.append(el('style', {}, STYLES))
  }
}

function factList({ snapshot, state, segments }: Facts): HTMLElement {
  const { status, environment, deviceId, userId, consent, locale, strings } = snapshot
  const { key = '', baseUrl = '' } = (state?.settings ?? {}) as { key?: string; baseUrl?: string }
  const rows: [string, string][] = [
    ['Status', status],
    // Enough to tell one key from another, and too little to use it.
    ['Key', key && `${key.slice(0, key.lastIndexOf('_') + 5)}…${key.slice(-4)}`],
    ['Server', baseUrl],
    ['Environment', environment ?? 'not known yet'],
    ['Device', deviceId ?? 'none yet'],
    ['Person', userId ?? 'nobody'],
    ['Consent', consent],
    ['Segments', segments.join(', ') || 'none told'],
    ['Language', `${locale ?? 'left to the server'}, delivered: ${strings?.locale ?? 'nothing yet'}`],
    ['Stream', streamState(state)],
  ]
  return el('dl', {}, ...rows.flatMap(([term, value]) => [el('dt', {}, term), el('dd', {}, value)]))
}

function streamState(state: State | undefined): string {
  if (!state) return 'not known yet'
  if (state.stream.isOpen) return 'open'
  if (!state.settings.isStreamWanted) return 'not wanted; polling'
  return state.lanes.stream.request > 0 ? 'opening' : 'closed; polling'
}

function blockTable({ snapshot, state }: Facts): HTMLElement {
  if (snapshot.blocks.length === 0) return el('p', {}, 'None are delivered.')
  const isDefault = state !== undefined && state.content === undefined
  const rows = snapshot.blocks.map((block) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, block.key),
      el('td', {}, block.instanceId),
      el('td', {}, String(block.version)),
      el('td', {}, isDefault ? 'a default of the app' : aimOf(block)),
    ),
  )
  const heads = ['Type', 'Instance', 'Version', 'Why'].map((text) => el('th', { scope: 'col' }, text))
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows))
}

function writeList({ state }: Facts): HTMLElement {
  const items = state?.items ?? []
  return items.length === 0 ? el('p', {}, 'Nothing waits.') : el('ul', {}, ...items.map((item) => el('li', {}, nameOf(item))))
}
