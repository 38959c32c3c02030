import { backoff, type BackOff } from '@contentflow/core/backoff.ts'

/** What could not be done yet is tried again, later and later: for each group one thing after another, whatever waits. */
export type Retries = {
  /** `name` tells what waits in a group apart; the same again changes nothing. `attempt` says whether it is done. */
  add(group: string, name: string, attempt: () => Promise<boolean>): void
  close(): void
}

const BACK_OFF: BackOff = { first: 2_000, most: 60_000 }

type Chain = { waiting: Map<string, () => Promise<boolean>>; failures: number; timer: NodeJS.Timeout | undefined }

export function openRetries(): Retries {
  const chains = new Map<string, Chain>()
  let isClosed = false

  const plan = (group: string, chain: Chain) => {
    if (isClosed) return
    chain.timer = setTimeout(() => void run(group, chain), backoff(BACK_OFF, ++chain.failures, Math.random())).unref()
  }
  /** Ends with the first that fails: what keeps it back keeps the others of its group back too. */
  const run = async (group: string, chain: Chain) => {
    for (const [name, attempt] of chain.waiting) {
      if (!(await attempt())) return plan(group, chain)
      chain.waiting.delete(name)
    }
    chains.delete(group)
  }
  return {
    add: (group, name, attempt) => {
      let chain = chains.get(group)
      if (!chain) {
        chain = { waiting: new Map(), failures: 0, timer: undefined }
        chains.set(group, chain)
        plan(group, chain)
      }
      chain.waiting.set(name, attempt)
    },
    close: () => {
      isClosed = true
      for (const { timer } of chains.values()) clearTimeout(timer)
      chains.clear()
    },
  }
}
