/** Channels for tests that send through them. */
import assert from 'node:assert/strict'
import { expectStatus, type Answer, type Client } from './builders.ts'

type Added = { id: string; test(to: string): Promise<Answer> }
export async function addChannel(admin: Client, type: string, provider: string, configuration: object, more: object = {}): Promise<Added> {
  const body = { type, provider, name: provider, configuration, ...more }
  const { id } = expectStatus(await admin.post('/notifications/channels', body), 201).data
  return { id, test: (to) => admin.post(`/notifications/channels/${id}/test`, { to }) }
}
export const assertSent = (answer: Answer, provider: string) => assert.deepEqual(expectStatus(answer, 200).data, { sent: true, provider })
export function assertFailed(answer: Answer, says: RegExp): void {
  expectStatus(answer, 200)
  assert.deepEqual(Object.keys(answer.body), ['success', 'error'])
  assert.equal(answer.body.success, false)
  assert.match(answer.body.error, says)
}
