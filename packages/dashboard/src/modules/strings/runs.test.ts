import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSteps, untilNothingMisses, type Progress } from './runs.ts'

const keys = Array.from({ length: 250 }, (_, index) => `key.${index}`)
const never = () => false

test('every key is sent once, in steps, and what was refused is kept', async () => {
  const sent: string[][] = []
  const reports: Progress[] = []
  await inSteps(
    keys,
    async (step) => {
      sent.push(step)
      return step.includes('key.120') ? [{ key: 'key.120', message: 'no' }] : []
    },
    (progress) => reports.push(progress),
    never,
  )
  assert.deepEqual(sent.flat(), keys)
  assert.deepEqual(
    reports.map(({ done, total, refused }) => [done, total, refused.length]),
    [
      [100, 250, 0],
      [200, 250, 1],
      [250, 250, 1],
    ],
  )
})

test('stopping lets the step that runs end, and begins no other', async () => {
  let steps = 0
  await inSteps(
    keys,
    async () => {
      steps++
      return []
    },
    () => {},
    () => steps === 2,
  )
  assert.equal(steps, 2)
})

test('drafting ends when nothing is missing, and when a call does nothing', async () => {
  const answers = [
    { drafted: 500, missing: 300 },
    { drafted: 300, missing: 0 },
  ]
  const reports: number[][] = []
  await untilNothingMisses(
    780,
    async () => answers.shift() ?? assert.fail('one call too many'),
    ({ done, total }) => reports.push([done, total]),
    never,
  )
  assert.deepEqual(reports, [
    [500, 800],
    [800, 800],
  ])
  let calls = 0
  await untilNothingMisses(
    5,
    async () => {
      calls++
      return { drafted: 0, missing: 5 }
    },
    () => {},
    never,
  )
  assert.equal(calls, 1)
})
