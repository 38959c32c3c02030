import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRoomFor } from './room.ts'

/** How many each of those who take all they can gets, one after another. */
function fill(most: number, times: number, holders: number): number[] {
  let all = 0
  return Array.from({ length: holders }, () => {
    let own = 0
    while (isRoomFor({ own, all, most }, times)) {
      own++
      all++
    }
    return own
  })
}

test('whoever is alone gets nearly all there is, and each one after that the same share of what is left', () => {
  const cases: [most: number, times: number, got: number[]][] = [
    [120, 3, [90, 23, 6]],
    [1_000, 3, [750, 188, 47]],
    [1_000, 9, [900, 90, 9]],
    [4, 3, [3, 1, 0]],
    [1, 3, [1, 0]],
    [0, 3, [0]],
  ]
  for (const [most, times, got] of cases) assert.deepEqual(fill(most, times, got.length), got, `${most} ${times}`)
})

test('however many take all they can, never more than there is is held', () => {
  const got = fill(500, 3, 50)
  assert.ok(got.reduce((sum, own) => sum + own, 0) <= 500)
})
