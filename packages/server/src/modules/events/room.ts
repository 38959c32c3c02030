/** Bytes of bodies that wait to be stored, in one process. */
const MOST_BYTES = 64_000_000

/** What bodies of events take of memory, whichever root they came through. */
export type Room = {
  isFull(): boolean
  /** Until `leave` is called for the same request, which may be more than once. */
  enter(request: object, bytes: number): void
  leave(request: object): void
}

export function openRoom(): Room {
  const held = new Map<object, number>()
  let total = 0
  return {
    isFull: () => total >= MOST_BYTES,
    enter: (request, bytes) => {
      held.set(request, bytes)
      total += bytes
    },
    leave: (request) => {
      total -= held.get(request) ?? 0
      held.delete(request)
    },
  }
}
