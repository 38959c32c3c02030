import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairLimiter } from './fair-limiter.ts'

function turns(options: { waitMs?: number; lineLength?: number } = {}) {
  const all = new FairLimiter({
    atOnce: 2,
    waitMs: 600_000,
    lineLength: 100,
    refuse: () => {
      throw new Error('refused')
    },
    ...options,
  })
  const started: string[] = []
  const endings: (() => void)[] = []
  const enter = (asker: string, name: string, isUrgent = false) =>
    all.take(
      asker,
      () => {
        started.push(name)
        return new Promise<string>((resolve) => endings.push(() => resolve(name)))
      },
      isUrgent,
    )
  /** Ends the oldest work and waits until whoever follows it has begun. */
  const endOne = async () => {
    endings.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { all, started, enter, endOne }
}

test('only so much is under way at once; a crowd from one place does not hold up who comes after it, urgent work is first', async () => {
  const { started, enter, endOne } = turns()
  const crowd = Array.from({ length: 6 }, (_, index) => enter('crowd', `crowd ${index}`))
  const single = enter('single', 'single')
  const urgent = enter('owner', 'urgent', true)
  assert.deepEqual(started, ['crowd 0', 'crowd 1'])
  for (let i = 0; i < 8; i++) await endOne()
  assert.deepEqual(started.slice(2), ['urgent', 'crowd 2', 'single', 'crowd 3', 'crowd 4', 'crowd 5'])
  assert.deepEqual(await Promise.all([...crowd, single, urgent]), [
    ...Array.from({ length: 6 }, (_, index) => `crowd ${index}`),
    'single',
    'urgent',
  ])
})

test('who waits too long is refused, and their place is not lost to others', async () => {
  const { started, enter, endOne } = turns({ waitMs: 20 })
  const running = [enter('a', 'a1'), enter('a', 'a2')]
  await assert.rejects(enter('b', 'b'), /refused/)
  await endOne()
  await endOne()
  await Promise.all(running)
  const later = [enter('b', 'b1'), enter('b', 'b2')]
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2'])
  await endOne()
  await endOne()
  await Promise.all(later)
})

test('a line that is too long takes nobody more, other lines do', async () => {
  const { enter, endOne } = turns({ lineLength: 1 })
  const running = [enter('a', '1'), enter('a', '2'), enter('a', '3')]
  await assert.rejects(enter('a', '4'), /refused/)
  running.push(enter('b', '5'))
  for (let i = 0; i < 4; i++) await endOne()
  await Promise.all(running)
})

test('work that fails gives its place on', async () => {
  const { all } = turns()
  const failing = () => Promise.reject(new Error('broken'))
  for (let i = 0; i < 5; i++) await assert.rejects(all.take('a', failing), /broken/)
  assert.equal(await all.take('a', async () => 'fine'), 'fine')
})
