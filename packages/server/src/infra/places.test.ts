import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

test('so much is under way at once; the rest follows in the order it came, whatever fails', async () => {
  const places = new Places(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const works = ends.map(({ promise }, number) =>
    places.take(async () => {
      begun.push(number)
      await promise
      return number
    }),
  )
  await new Promise(setImmediate)
  assert.deepEqual(begun, [0, 1])
  ends[1]!.reject(new Error('no'))
  await assert.rejects(works[1]!, /no/)
  await new Promise(setImmediate)
  assert.deepEqual(begun, [0, 1, 2])
  for (const { resolve } of ends) resolve()
  assert.deepEqual(
    (await Promise.allSettled(works)).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
  assert.equal(await places.take(async () => 'free'), 'free')
})
