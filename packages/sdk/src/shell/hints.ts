/** Common first mistakes, explained once in the console during development. */
import type { ContentFlowError } from '../types.ts'

/** Bundlers put the value in its place; elsewhere than in Node there may be none. */
declare const process: { env: { NODE_ENV?: string } }

const told = new Set<string>()

/** A key that is refused, and an address where something else answers. */
export function hint({ status, code }: ContentFlowError, baseUrl: string): void {
  if (!isDevelopment()) return
  if (status === 401 || status === 403) {
    const isKey = code !== undefined && /KEY/.test(code)
    if (isKey)
      warnOnce(
        `ContentFlow: the key is refused (${code}). Use a publishable key of this server: the dashboard has it under Settings, Keys.`,
      )
  }
  if (code === 'BAD_ANSWER' || status === 404)
    warnOnce(`ContentFlow: what answers at ${baseUrl} (status ${status}) is not the client API. Is baseUrl right? It ends in /sdk/v1.`)
}

function warnOnce(text: string): void {
  if (told.has(text)) return
  told.add(text)
  // oxlint-disable-next-line no-console -- The message is meant for developers, who look there.
  console.warn(text)
}

/** Asked the way bundlers and Node say it; a page without a bundler counts when it is on the developer's own machine. */
function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return typeof location === 'object' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)
  }
}
