import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeGone, saysNoSuchMailbox, type ContactSignal } from './out-of-service.ts'

test('G-88 only words that mean "no such mailbox" close an address', () => {
  const cases: [string, boolean][] = [
    ['550 5.1.1 <a@b.example>: Recipient address rejected: User unknown', true],
    ['550-5.1.1 The email account that you tried to reach does not exist', true],
    ['smtp; 550 5.1.10 RESOLVER.ADR.RecipientNotFound', true],
    ['556 5.1.10 Recipient address has null MX', true],
    ['550 5.1.2 Host unknown', true],
    ['550 5.1.3 Bad address syntax', true],
    ['550 5.1.6 Recipient no longer on server', true],
    ['550 No such user here', true],
    ['No such mailbox', true],
    ['550 Unknown user', true],
    ['550 5.7.1 Service unavailable; client host blocked: no such user', false],
    ['550 5.7.1 Refused by policy, was 5.1.1', false],
    ['552 5.2.2 The mailbox is full', false],
    ['550 5.2.1 The mailbox is disabled', false],
    ['552 5.3.4 Message too big', false],
    ['550 5.1.0 Address rejected', false],
    ['550 5.1.8 Sender address rejected: Domain not found', false],
    ['550 5.4.1 Recipient address rejected: Access denied', false],
    ['550 Requested action not taken: mailbox unavailable', false],
    ['554 listed at 5.1.1.9 by a block list', false],
    ['421 4.1.1 try later', false],
    ['Too old', false],
    ['', false],
  ]
  for (const [said, expected] of cases) assert.equal(saysNoSuchMailbox(said), expected, said)
})

test('G-88 twenty in a row are not believed, however the row is cut into batches, and whoever is reached ends it', () => {
  const row = (gone: number, more: ContactSignal[] = []): ContactSignal[] => [...Array<ContactSignal>(gone).fill('gone'), ...more]
  const cases: [number, ContactSignal[], { believed: number; inARow: number; isFlood: boolean; begins: number }][] = [
    [0, [], { believed: 0, inARow: 0, isFlood: false, begins: 0 }],
    [0, row(1), { believed: 1, inARow: 1, isFlood: false, begins: -1 }],
    [0, row(19), { believed: 19, inARow: 19, isFlood: false, begins: -1 }],
    [0, row(20), { believed: 0, inARow: 20, isFlood: true, begins: -1 }],
    [0, row(40), { believed: 0, inARow: 40, isFlood: true, begins: -1 }],
    [19, row(1), { believed: 0, inARow: 20, isFlood: true, begins: -1 }],
    [19, ['reached', 'gone'], { believed: 1, inARow: 1, isFlood: false, begins: 1 }],
    [25, row(1), { believed: 0, inARow: 26, isFlood: true, begins: -1 }],
    [3, row(2, ['reached']), { believed: 2, inARow: 0, isFlood: false, begins: 3 }],
    [0, ['gone', 'reached', ...row(25)], { believed: 1, inARow: 25, isFlood: false, begins: 2 }],
    [0, ['reached', ...row(19), 'reached', ...row(19)], { believed: 38, inARow: 19, isFlood: false, begins: 21 }],
  ]
  for (const [before, said, expected] of cases) {
    const { believed, ...judged } = judgeGone(before, said)
    assert.deepEqual({ believed: believed.filter(Boolean).length, ...judged }, expected, `${before} ${said.join()}`)
  }
})
