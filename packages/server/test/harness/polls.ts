/** The look for lost signals, which runs every two seconds on PostgreSQL. */
import type { Context } from '../../src/context.ts'
import { until } from './until.ts'

/**
 * Resolves when a server has looked for lost signals twice from beginning to end, and told what it found. At once on the
 * embedded database: it has one process, so no signal can get lost.
 */
export async function untilPolledTwice({ engine, signals }: Pick<Context, 'engine' | 'signals'>): Promise<void> {
  if (engine === 'embedded') return
  let looks = 0
  signals.on(
    'due',
    () => {},
    async () => {
      looks++
      return []
    },
  )
  // The first may have been under way already.
  await until('lost signals are looked for', () => looks > 2)
}
