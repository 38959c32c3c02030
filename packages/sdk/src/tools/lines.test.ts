import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, failedWith, machine, synced, write } from '../../test/support/states.ts'
import type { StepEvent } from '../machine/state.ts'
import { linesOf } from './lines.ts'

test('a step is told in lines: what was asked, what was answered, and why each block is there', () => {
  const at = machine()
  const said: string[] = []
  const send = (event: StepEvent) => {
    const { state, effects } = at.send(event)
    said.push(...linesOf({ event, state, effects }))
  }
  send({ type: 'start' })
  send({ type: 'loaded', stored: {} })
  const blocks = [block('one'), block('two', { segment: 'gold' }), block('msg', { source: 'campaign', campaignId: 'c1' })]
  send({ type: 'answered', lane: 'sync', request: at.state.lanes.sync.request, answer: synced(blocks) })
  send({ type: 'answered', lane: 'strings', request: at.state.lanes.strings.request, answer: { status: 0, reason: 'refused' } })
  send(write('i', 'identify', { consent: true, userId: 'sara@example.com', traits: { iban: 'SA03' } }))
  send({ type: 'answered', lane: 'outbox', request: at.state.lanes.outbox.request, answer: failedWith(403, 'USER_TOKEN_REQUIRED') })
  send(write('e', 'event', { type: 'purchase', blockKey: 'promo', properties: { phone: '+966500000000' } }))
  for (const line of [
    'started',
    'read from storage: 0 blocks, 0 writes to send',
    '→ GET /sync',
    '← sync: 200',
    '  promo one (version 1): for everyone',
    '  promo two (version 1): for the segment gold',
    '  promo msg (version 1): a message of a campaign (c1)',
    '← strings: no answer (refused)',
    'to send: identify',
    '→ POST /identify',
    '← outbox: 403 USER_TOKEN_REQUIRED',
    'identity_refused: USER_TOKEN_REQUIRED',
    'to send: event purchase of promo',
  ])
    assert.ok(said.includes(line), `${line}\n${said.join('\n')}`)
  assert.doesNotMatch(said.join('\n'), /sara|SA03|\+966/, 'nothing of the person is told')
})
