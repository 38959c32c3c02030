import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Campaign, Status } from '../api.ts'
import { stepsOf } from './steps.ts'

const NOW = Date.parse('2030-01-01T00:00:00.000Z')
const editor = { id: 'editor', isAdmin: false, isEditor: true, mayApprove: false }
const approver = { id: 'approver', isAdmin: false, isEditor: true, mayApprove: true }
const viewer = { id: 'viewer', isAdmin: false, isEditor: false, mayApprove: false }
const inState = (status: Status, startTime = '2029-01-01T00:00:00.000Z') =>
  ({ status, pausedFrom: status === 'paused' ? 'active' : null, submittedBy: 'editor', schedule: { startTime } }) as Campaign

test('the steps that are offered are those the server would take, and that somebody would want', () => {
  const of = (status: Status, person = editor, start?: string) => stepsOf(person, inState(status, start), NOW)
  assert.deepEqual(of('draft'), ['submit'])
  assert.deepEqual(of('rejected'), ['submit'])
  assert.deepEqual(of('pending_review'), ['recall'])
  assert.deepEqual(of('pending_review', approver), ['recall', 'approve', 'reject'])
  assert.deepEqual(of('pending_review', { ...approver, id: 'editor' }), ['recall', 'reject'])
  assert.deepEqual(of('approved'), ['launch', 'test', 'complete', 'toDraft'])
  assert.deepEqual(of('approved', editor, '2030-02-01T00:00:00.000Z'), ['launch', 'test', 'schedule', 'complete', 'toDraft'])
  assert.deepEqual(of('active'), ['pause', 'complete', 'toDraft'])
  assert.deepEqual(of('scheduled'), ['pause', 'complete', 'toDraft'])
  assert.deepEqual(of('test'), ['launch', 'pause', 'complete', 'toDraft'])
  assert.deepEqual(of('paused'), ['resume', 'complete', 'toDraft'])
  assert.deepEqual(of('completed'), ['toDraft'])
  for (const status of ['draft', 'pending_review', 'active', 'paused'] as const) assert.deepEqual(of(status, viewer), [])
})
