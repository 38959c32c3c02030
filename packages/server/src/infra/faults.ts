/** Faults that the test hook can switch on (G-03). Each is asked for where the named work would really be done. */
export const FAULTS = [
  'key_validation',
  'sandbox_route',
  'push_link',
  'profile_write',
  'erase_part',
  'localization',
  'enrichment_write',
  'storage',
  'upstream',
] as const
type FaultName = (typeof FAULTS)[number]

export type Faults = {
  set(name: FaultName, on: boolean): void
  /** Throws when the fault is on. */
  check(name: FaultName): void
  /** A point that a test watches: it can hold the work there, or end the process. */
  reach(point: string): Promise<void> | void
  watch(watcher: (point: string) => Promise<void> | void): void
}

export class InjectedFault extends Error {}

export function openFaults(): Faults {
  const active = new Set<FaultName>()
  let watched: (point: string) => Promise<void> | void = () => {}
  return {
    set: (name, on) => void (on ? active.add(name) : active.delete(name)),
    check: (name) => {
      if (active.has(name)) throw new InjectedFault(`fault ${name} is switched on`)
    },
    reach: (point) => watched(point),
    watch: (watcher) => {
      watched = watcher
    },
  }
}
