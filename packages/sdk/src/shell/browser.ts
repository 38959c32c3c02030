import type { StepEvent } from '../machine/state.ts'

/**
 * Reports what a browser knows of its page: whether it is visible, that the network is back, that it may be gone soon, and what
 * another tab has stored. Elsewhere nothing is watched. Returns a function that stops watching.
 */
export function watchPage(dispatch: (event: StepEvent) => void, stored: (name: string | null, text: string | null) => void): () => void {
  if (typeof document === 'undefined' || typeof addEventListener === 'undefined') return () => {}
  const ending = new AbortController()
  const options = { signal: ending.signal }
  const look = () => dispatch({ type: 'note', patch: { isVisible: document.visibilityState !== 'hidden' } })
  look()
  document.addEventListener('visibilitychange', look, options)
  addEventListener('online', () => dispatch({ type: 'online' }), options)
  // Comes whenever a page may be gone soon, which hiding it is on a phone.
  for (const name of ['pagehide', 'visibilitychange']) addEventListener(name, () => dispatch({ type: 'ask', lane: 'outbox' }), options)
  addEventListener('storage', ({ key, newValue }) => stored(key, newValue), options)
  return () => ending.abort()
}
