import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairLimiter, Semaphore } from './fair-limiter.ts'

function turns(options: { waitMs?: number; mostWaiting?: number; each?: number } = {}) {
  const all = new FairLimiter({
    all: 2,
    waitMs: 600_000,
    mostWaiting: 100,
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
      { isUrgent },
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
  const { enter, endOne } = turns({ mostWaiting: 1 })
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

test('of one owner only so much is under way, and owners with the same take turns', async () => {
  const { all, started, enter, endOne } = turns({ each: 1 })
  const works = ['a', 'a', 'b', 'c', 'b'].map((owner, index) => enter(owner, `${owner}${index}`))
  assert.deepEqual(started, ['a0', 'b2'])
  for (let i = 0; i < 5; i++) await endOne()
  assert.deepEqual(started, ['a0', 'b2', 'a1', 'b4', 'c3'])
  await Promise.all(works)
  assert.equal(all.isIdle, true)
})

test('so much is under way at once; the rest follows in the order it came, whatever fails', async () => {
  const places = new Semaphore(2)
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
