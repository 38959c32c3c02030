import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { openRetries } from './retries.ts'

/** Seconds of a clock that is moved by hand, and what was tried when. */
function stage(isDone: () => boolean) {
  mock.timers.enable({ apis: ['setTimeout'] })
  const tried: string[] = []
  let second = 0
  return {
    tried,
    attempt: (name: string) => async () => {
      tried.push(`${second} ${name}`)
      return isDone()
    },
    pass: async (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        second++
        mock.timers.tick(1_000)
        // What a timer began goes on by promises.
        for (let turn = 0; turn < 10; turn++) await Promise.resolve()
      }
    },
    end: () => mock.timers.reset(),
  }
}

test('what waits for one group makes one chain, which backs off to a minute', async () => {
  const { tried, attempt, pass, end } = stage(() => false)
  const retries = openRetries()
  for (let i = 0; i < 20; i++) retries.add('shop', `change ${i}`, attempt(`change ${i}`))
  await pass(200)
  assert.deepEqual(
    tried,
    [2, 6, 14, 30, 62, 122, 182].map((second) => `${second} change 0`),
  )
  retries.close()
  await pass(200)
  assert.equal(tried.length, 7, 'nothing is tried after the end')
  end()
})

test('once it can be done everything that waits is done, once, and a later failure begins anew', async () => {
  let isDone = false
  const { tried, attempt, pass, end } = stage(() => isDone)
  const retries = openRetries()
  for (const name of ['a', 'b', 'a']) retries.add('shop', name, attempt(name))
  retries.add('other', 'c', attempt('c'))
  await pass(3)
  isDone = true
  retries.add('shop', 'd', attempt('d'))
  await pass(100)
  assert.deepEqual(tried.toSorted(), ['2 a', '2 c', '6 a', '6 b', '6 c', '6 d'])
  isDone = false
  retries.add('shop', 'e', attempt('e'))
  await pass(2)
  assert.equal(tried.at(-1), '105 e')
  retries.close()
  end()
})
