import type { ServerResponse } from 'node:http'

/** Smaller bodies are not counted: a connection has room for them. */
const LARGE_BYTES = 1_000_000
/** Bytes of one workspace; beyond them another large body is refused until some are taken. Small ones are still sent. */
const ENOUGH_BYTES = 32_000_000
/** A client that has not taken its answer after this time is cut off, because its bytes take the room of others. */
const longestMs = (bytes: number) => 30_000 + bytes / 100

/** Large bodies that clients have not taken yet. One that is sent to many clients is in memory once, and counts once. */
export class OnTheirWay {
  readonly #byWorkspace = new Map<string, { bytes: number; bodies: Map<string | Buffer, number> }>()

  /** False: it has to wait. A body that is already being sent may go to further clients. */
  take(workspaceId: string, body: string | Buffer, response: ServerResponse): boolean {
    // A closed connection would never report the end.
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
