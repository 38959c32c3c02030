/** What a check of a client works with. */
import { Broken, must } from '../check.ts'
import type { Program } from './program.ts'
import type { Scripted } from './scripted.ts'

export type Bench = {
  server: Scripted
  /** Sends a command to the client. */
  tell: (name: string, members?: Record<string, unknown>) => Promise<unknown>
  /** Makes and starts a client. The same storage finds what another one left there. */
  open(members?: Record<string, unknown>): Promise<void>
  /** The instances that the client shows, in their order. */
  shown(): Promise<string[]>
  /** Waits for what has to become true. */
  until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void>
}

/** `rule`: what a client keeps, in one sentence; the check's name. */
export type ClientCheck = { name: string; run(bench: Bench): Promise<void> }

export const KEY = 'conformance_cfpk_of_clients'
const LONGEST_MS = 10_000
const LOOK_MS = 20

/** `storage`: a name that no other check has. */
export function openBench(program: Program, server: Scripted, storage: string): Bench {
  const tell = (name: string, members: Record<string, unknown> = {}) => program.ask({ do: name, ...members })
  return {
    server,
    tell,
    open: async (members = {}) => void (await tell('open', { key: KEY, baseUrl: server.baseUrl, storage, ...members })),
    shown: async () => {
      const blocks = await tell('blocks')
      must(Array.isArray(blocks), 'blocks answers no list')
      return (blocks as { instanceId: string }[]).map(({ instanceId }) => instanceId)
    },
    until: async (what, isTrue) => {
      const end = performance.now() + LONGEST_MS
      while (!(await isTrue())) {
        if (performance.now() > end) throw new Broken(`${what} did not come`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
    },
  }
}

/** A block as the server delivers it. */
export function block(instanceId: string, more: object = {}): object {
  const head = { key: 'promo', name: 'Promo', screen: 'home', instanceId, version: 1, visible: true }
  return { ...head, values: { '#title': instanceId }, fields: [{ tag: '#title', type: 'text' }], ...more }
}
