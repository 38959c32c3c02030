/** What a client does, told in the console: the option `debug`. A file of its own, loaded only with that option. */
import { linesOf } from './tools/lines.ts'
import type { Stepped } from './shell/engine.ts'
import type { Client } from './types.ts'

/** Tells every step from now on. */
export function debug({ on }: Pick<Client, 'on'>): void {
  say('debugging is on; turn it off in production')
  on('step', (step) => linesOf(step as Stepped).forEach(say))
}

function say(line: string): void {
  // oxlint-disable-next-line no-console -- Developers asked for it, and look there.
  console.log(`ContentFlow: ${line}`)
}
