/** What every refusal must look like, whatever was sent. */
import assert from 'node:assert/strict'
import type { Answer } from '../builders/builders.ts'

/** Traces of the inside: stack frames, paths, statements, names of what the server is made of. */
const INSIDE =
  /\n\s+at |\.ts:\d|\.js:\d|node_modules|file:\/\/|\/(work|tmp|home|root|usr)\/|\bselect\b.*\bfrom\b|\binsert into\b|relation "|constraint "|pglite|kysely|fastify|postgres|SQLSTATE|ECONN|TypeError|is not a function|undefined \(/i

/** No server error, the envelope of a refusal, and nothing of the inside. */
export function assertRefusal(answer: Answer, statuses: number | readonly number[], what = ''): void {
  const allowed = [statuses].flat()
  assert.ok(allowed.includes(answer.status), `${what}: ${answer.status} instead of ${allowed.join(' or ')}: ${answer.text.slice(0, 300)}`)
  assert.equal(answer.body?.success, false, `${what}: ${answer.text.slice(0, 300)}`)
  assert.ok(typeof answer.body.error === 'string' && answer.body.error !== '', what)
  assertNoInside(answer.text, what)
}

export function assertNoInside(text: string, what = ''): void {
  assert.doesNotMatch(text, INSIDE, what)
}
