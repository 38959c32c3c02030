import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressToAsk, needsConfirmation } from './confirm-erasure.ts'

const now = new Date('2026-11-26T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

test('an erasure waits when a user is meant by a device that was not theirs a day ago', () => {
  for (const [userId, linkedAt, waits] of [
    ['u', ago(0), true],
    ['u', ago(23.9), true],
    ['u', ago(24), false],
    ['u', null, false],
    [null, ago(0), false],
  ] as const)
    assert.equal(needsConfirmation({ userId, linkedAt }, now), waits, `${userId} ${linkedAt?.toISOString()}`)
})

test('nobody is asked at an address that an app has just named, or that is out of service', () => {
  const by = (hours: number, contact = 'a@x.co') => ({ contact, at: ago(hours).toISOString() })
  for (const [address, expected] of [
    [{ email: 'a@x.co', closed: undefined, appEmail: null }, 'a@x.co'],
    [{ email: 'a@x.co', closed: undefined, appEmail: by(25) }, 'a@x.co'],
    [{ email: 'a@x.co', closed: undefined, appEmail: by(1) }, null],
    [{ email: 'a@x.co', closed: undefined, appEmail: by(1, 'former@x.co') }, 'a@x.co'],
    [{ email: 'a@x.co', closed: 'a@x.co', appEmail: null }, null],
    [{ email: '', closed: undefined, appEmail: null }, null],
    [{ email: 'a@x.co;', closed: undefined, appEmail: null }, null],
    [{ email: null, closed: undefined, appEmail: null }, null],
  ] as const)
    assert.equal(addressToAsk(address, now), expected)
})
