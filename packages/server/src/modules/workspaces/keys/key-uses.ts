import type { Context } from '../../../context.ts'
import * as queries from '../queries.ts'

/** A key as whoever recognises it holds it. `round`: when its use was noted last. */
export type KeyUse = { workspaceId: string; keyId: string; round: number }

export function newUse(workspaceId: string, keyId: string): KeyUse {
  return { workspaceId, keyId, round: 0 }
}

/**
 * HOT PATH. Which keys were used since the last time this was stored, at most once a minute. The
 * first use of a round costs a map entry, every other one a comparison.
 */
export class KeyUses {
  #round = 1
  #noted = new Map<string, KeyUse>()

  note(use: KeyUse): void {
    if (use.round === this.#round) return
    use.round = this.#round
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
        const ids = uses.map(({ keyId }) => keyId)
        await queries.saveKeyUses(db, workspaceId, ids, clock.now())
        for (const id of ids) used.delete(id)
      }
    } catch (error) {
      this.#noted = new Map([...used, ...this.#noted])
      throw error
    }
  }
}
