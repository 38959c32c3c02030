/** The parts that checks of the client contract are made of. */

/** `body` is whatever the server sent: its shape is what is in question. */
export type Reply = { status: number; headers: Headers; text: string; body: any; data: any }
export type Call = { headers?: Record<string, string>; body?: unknown; raw?: string }
export type Subject = {
  /** Sends a request with the key that is tried; a header of '' is left out. `path` follows `/sdk/v1`. */
  ask(method: string, path: string, call?: Call): Promise<Reply>
  key: string
  /** The id of an installation that does not exist. */
  deviceId: string
}
/** `run` throws what is wrong. */
export type Check = { name: string; run(subject: Subject): Promise<void> }

export class Broken extends Error {}

export function must(isTrue: boolean, wrong: string): void {
  if (!isTrue) throw new Broken(wrong)
}

export function mustBe(found: unknown, wanted: unknown, what: string): void {
  must(found === wanted, `${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}

/** A success in its envelope. */
export function expectSuccess(reply: Reply, status = 200): void {
  mustBe(reply.status, status, 'the status')
  mustBe(reply.body?.success, true, 'success')
  must(reply.body.data !== undefined, 'data is missing')
}

/** Checks a refusal in its envelope; `code` null: none is documented. */
export function expectRefusal(reply: Reply, status: number, code: string | null): void {
  mustBe(reply.status, status, 'the status')
  mustBe(reply.body?.success, false, 'success')
  const isNested = code === 'SDK_RATE_LIMIT_EXCEEDED'
  mustBe(isNested ? reply.body.error?.code : (reply.body.code ?? null), code, 'code')
  must(typeof (isNested ? reply.body.error.message : reply.body.error) === 'string', 'error is not a text')
}
