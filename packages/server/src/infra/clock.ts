/** Time as the application sees it. Everything that expires asks here, so the test hook can move it (G-03). */
export type Clock = { now(): Date; ms(): number; advance(seconds: number): void }

export function openClock(): Clock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    ms: () => Date.now() + offset,
    advance: (seconds) => {
      offset += seconds * 1000
    },
  }
}
