import type { IncomingMessage } from 'node:http'
import type { Context } from '../../../context.ts'
import * as queries from '../queries.ts'

/** A key as whoever recognises it holds it. `round`: when its use was noted last, and `from`, by the first request of that round. */
export type KeyUse = { workspaceId: string; keyId: string; round: number; from: string }

export function newUse(workspaceId: string, keyId: string): KeyUse {
  return { workspaceId, keyId, round: 0, from: '' }
}

/**
 * HOT PATH. Which keys were used since the last time this was stored, at most once a minute. The
 * first use of a round costs a map entry, every other one a comparison.
 */
export class KeyUses {
  readonly #addressOf: (request: IncomingMessage) => string
  #round = 1
  #noted = new Map<string, KeyUse>()

  constructor(addressOf: (request: IncomingMessage) => string) {
    this.#addressOf = addressOf
  }

  note(use: KeyUse, request: IncomingMessage): void {
    if (use.round === this.#round) return
    use.round = this.#round
    if (this.#noted.has(use.keyId)) return
    use.from = this.#addressOf(request)
    this.#noted.set(use.keyId, use)
  }

  /** The moment of storing stands for all of the round. What could not be stored is stored with the next one. */
  async save({ db, clock }: Context): Promise<void> {
    const used = this.#noted
    if (used.size === 0) return
    this.#noted = new Map()
    this.#round++
    try {
      for (const [workspaceId, uses] of Map.groupBy(used.values(), (use) => use.workspaceId)) {
        await queries.saveKeyUses(db, workspaceId, uses, clock.now())
        for (const { keyId } of uses) used.delete(keyId)
      }
    } catch (error) {
      this.#noted = new Map([...used, ...this.#noted])
      throw error
    }
  }
}
