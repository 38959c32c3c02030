import type { ServerResponse } from 'node:http'

/** Smaller ones are not counted: a connection has room for them. */
const LARGE_BYTES = 1_000_000
/** Of one workspace; then another large one is refused until some are taken. Small ones go on. */
const ENOUGH_BYTES = 32_000_000
/** A client that has not taken its answer after this time is cut off: its bytes would keep others from theirs. */
const longestMs = (bytes: number) => 30_000 + bytes / 100

/** Large bodies that clients have not taken yet. One that is sent to many is held once, and counts once. */
export class OnTheirWay {
  readonly #byWorkspace = new Map<string, { bytes: number; bodies: Map<string | Buffer, number> }>()

  /** False: it has to wait. One that is on its way already is sent to others too. */
  take(workspaceId: string, body: string | Buffer, response: ServerResponse): boolean {
    // For a connection that is closed no end would ever be reported.
    if (body.length < LARGE_BYTES || response.destroyed) return true
    const own = this.#byWorkspace.get(workspaceId) ?? { bytes: 0, bodies: new Map<string | Buffer, number>() }
    const times = own.bodies.get(body) ?? 0
    if (times === 0 && own.bytes >= ENOUGH_BYTES) return false
    if (times === 0) own.bytes += body.length
    own.bodies.set(body, times + 1)
    this.#byWorkspace.set(workspaceId, own)
    const timer = setTimeout(() => response.destroy(), longestMs(body.length)).unref()
    response.once('close', () => {
      clearTimeout(timer)
      this.#release(workspaceId, body)
    })
    return true
  }

  #release(workspaceId: string, body: string | Buffer): void {
    const own = this.#byWorkspace.get(workspaceId)
    const times = own?.bodies.get(body)
    if (!own || times === undefined) return
    if (times > 1) return void own.bodies.set(body, times - 1)
    own.bodies.delete(body)
    own.bytes -= body.length
    if (own.bodies.size === 0) this.#byWorkspace.delete(workspaceId)
  }
}
