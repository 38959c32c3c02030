/** Who is held out, and what may be asked for. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isHeldOut, nextHoldout, readHoldout, type Holdout } from './holdout.ts'

const hash32 = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0)
const NOW = Date.parse('2026-03-01T00:00:00Z')
const DAY = 86_400_000
const holdout = (percent: number, change: Partial<Holdout> = {}): Holdout => ({
  percent,
  startsAt: '2026-02-01T00:00:00.000Z',
  endsAt: null,
  salt: 's',
  since: '2026-02-01T00:00:00.000Z',
  ...change,
})
const people = Array.from({ length: 4_000 }, (_, n) => `p${n}`)
const heldOf = (of: Holdout, now = NOW) => people.filter((id) => isHeldOut(of, id, now, hash32))

test('a share of the people is held out, and more percent keeps those there were', () => {
  const [five, ten] = [heldOf(holdout(5)), heldOf(holdout(10))]
  assert.ok(five.length > 150 && five.length < 250 && ten.length > 330 && ten.length < 470)
  assert.deepEqual(
    five.filter((id) => !ten.includes(id)),
    [],
  )
  assert.notDeepEqual(heldOf(holdout(5, { salt: 'another' })), five)
  assert.equal(hash32('p1:holdout:s') % 100 < 5, five.includes('p1'))
})

test('nobody is held out before the start, after the end, without a share or without a profile', () => {
  const ending = holdout(20, { endsAt: '2026-03-02T00:00:00.000Z' })
  assert.ok(heldOf(ending).length > 0)
  assert.deepEqual(heldOf(ending, NOW + DAY), [])
  assert.deepEqual(heldOf(ending, NOW - 29 * DAY), [])
  assert.deepEqual(heldOf(holdout(0)), [])
  assert.ok(![null, undefined].some((nobody) => isHeldOut(holdout(20), nobody, NOW, hash32)))
  assert.equal(isHeldOut(null, 'p', NOW, hash32), false)
})

test('what is asked for is read, with where it is wrong', () => {
  const right = { percent: 5, startsAt: '2026-03-01', endsAt: '2026-03-31' }
  assert.deepEqual(readHoldout(right), {
    ok: true,
    value: { percent: 5, startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-04-01T00:00:00.000Z' },
  })
  assert.deepEqual(readHoldout({ percent: 0 }), { ok: true, value: { percent: 0, startsAt: null, endsAt: null } })
  for (const [wrong, error] of [
    [null, 'must be'],
    [{ ...right, percent: 21 }, '.percent'],
    [{ ...right, percent: 1.5 }, '.percent'],
    [{ percent: 5 }, '.startsAt'],
    [{ ...right, startsAt: 'soon' }, '.startsAt'],
    [{ ...right, endsAt: '2026-02-30' }, '.endsAt'],
    [{ ...right, endsAt: '2026-02-01' }, '.endsAt'],
    [{ percent: 0, endsAt: '2026-02-01' }, '.startsAt'],
  ] as const) {
    const read = readHoldout(wrong)
    assert.ok(!read.ok && read.error.startsWith(error), JSON.stringify(wrong))
  }
})

test('another share or start begins the comparison anew, another end does not; the salt stays', () => {
  const choice = { percent: 5, startsAt: '2026-04-01T00:00:00.000Z', endsAt: null }
  const first = nextHoldout(null, choice, 'first', NOW)
  assert.deepEqual(first, { ...choice, salt: 'first', since: choice.startsAt })
  const ended = nextHoldout(first, { ...choice, endsAt: '2027-01-01T00:00:00.000Z' }, 'second', NOW + 90 * DAY)
  assert.deepEqual([ended.since, ended.salt], [choice.startsAt, 'first'])
  const more = nextHoldout(ended, { ...choice, percent: 10 }, 'third', NOW + 90 * DAY)
  assert.deepEqual([more.since, more.salt], [new Date(NOW + 90 * DAY).toISOString(), 'first'])
  const none = nextHoldout(more, { percent: 0, startsAt: null, endsAt: null }, 'fourth', NOW)
  assert.deepEqual([none.since, none.salt], [null, 'first'])
})
