import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapSteps, openTimeSlicer } from './time-slicer.ts'

/** Each of its steps is longer than a slice. */
function* slow(name: string, steps: number, said: string[]): Generator<undefined, string> {
  for (let step = 1; step <= steps; step++) {
    for (const end = performance.now() + 5; performance.now() < end;);
    said.push(`${name}${step}`)
    yield
  }
  return name
}

test('owners take turns, and so do the works of one', async () => {
  const { run } = openTimeSlicer()
  const said: string[] = []
  const works = [run('a', slow('a', 3, said)), run('a', slow('A', 2, said)), run('b', slow('b', 2, said))]
  assert.deepEqual(said, ['a1', 'b1'], 'the first slice of an owner is at once')
  assert.deepEqual(await Promise.all(works), ['a', 'A', 'b'])
  assert.deepEqual(said, ['a1', 'b1', 'a2', 'b2', 'A1', 'a3', 'A2'])
})

test('what is over at once takes no turn of the loop; what fails reaches whoever asked, and nobody else', async () => {
  const { run } = openTimeSlicer()
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  const none = await run('a', mapSteps([], String))
  assert.deepEqual([none, hasTurned], [[], false])
  const fail = mapSteps([1], () => {
    throw new Error('no')
  })
  await assert.rejects(run('a', fail), /no/)
  assert.deepEqual(await run('a', mapSteps([1, 2], String)), ['1', '2'])
})

test('others get their turn between slices', async () => {
  const { run } = openTimeSlicer()
  let turns = 0
  const count = () => (turns++, (next = setImmediate(count)))
  let next = setImmediate(count)
  await run('a', slow('a', 20, []))
  clearImmediate(next)
  assert.ok(turns >= 19, `${turns} turns`)
})

test('many short works behind a long one share turns', async () => {
  const { run } = openTimeSlicer()
  let turns = 0
  const long = run('a', slow('a', 10, []))
  const count = () => (turns++, (next = setImmediate(count)))
  let next = setImmediate(count)
  await Promise.all(Array.from({ length: 200 }, () => run('a', mapSteps([1, 2, 3], String))))
  clearImmediate(next)
  assert.ok(turns < 100, `${turns} turns`)
  await long
})
