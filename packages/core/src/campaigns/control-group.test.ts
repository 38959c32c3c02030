import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assignVariant } from '../blocks/serving/assign-variant.ts'
import { isInControlGroup } from './control-group.ts'

const hash32 = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0)
const people = Array.from({ length: 20_000 }, (_, n) => `person-${n}`)

test('G-73 the control group is the share that was asked for, the same each time, and grows with it', () => {
  for (const percent of [1, 10, 50]) {
    const held = people.filter((id) => isInControlGroup(percent, id, 'campaign', hash32))
    const share = (held.length / people.length) * 100
    assert.ok(Math.abs(share - percent) < 1.5, `${percent}: ${share}`)
    assert.ok(held.every((id) => isInControlGroup(percent, id, 'campaign', hash32)))
    assert.ok(held.every((id) => isInControlGroup(percent + 1, id, 'campaign', hash32)))
  }
})

test('G-73 it is independent of the variant, and of other campaigns', () => {
  const isHeld = (id: string, campaign = 'campaign') => isInControlGroup(50, id, campaign, hash32)
  const share = (some: string[], of: (id: string) => boolean) => some.filter(of).length / some.length
  const first = people.filter((id) => assignVariant([1, 1], id, 'campaign', hash32) === 0)
  assert.ok(Math.abs(share(first, isHeld) - 0.5) < 0.03)
  assert.ok(
    Math.abs(
      share(
        people.filter((id) => isHeld(id, 'other')),
        isHeld,
      ) - 0.5,
    ) < 0.03,
  )
})

test('nobody is left out without a group, and nobody who is not known', () => {
  const everybody = () => 0
  assert.deepEqual(
    [undefined, 0, 1].map((percent) => isInControlGroup(percent, 'person', 'campaign', everybody)),
    [false, false, true],
  )
  assert.equal(isInControlGroup(50, undefined, 'campaign', everybody), false)
})
