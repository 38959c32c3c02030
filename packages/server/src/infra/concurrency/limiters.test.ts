import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { inRequest, noteBody } from '../request-scope.ts'
import { openLimiter, openKeyedLimiter } from './limiters.ts'

/** Work that is under way until it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, letGo: resolve }
}
const isRefused = (error: unknown) => error instanceof ApiError && error.status === 503 && error.retryAfter === 5

test('of one workspace so many run at a time, the next ones in the order they came; another workspace does not wait', async () => {
  const inTurn = openLimiter({ atOnce: 2, mostWaiting: 10, longestWaitMs: 600_000 })
  const [first, second] = [held(), held()]
  const begun: number[] = []
  const all = [inTurn('a', first.work), inTurn('a', second.work)]
  for (const index of [3, 4, 5]) all.push(inTurn('a', async () => void begun.push(index)))
  await inTurn('b', async () => void begun.push(0))
  assert.deepEqual(begun, [0])
  first.letGo()
  await Promise.all([all[0], ...all.slice(2)])
  assert.deepEqual(begun, [0, 3, 4, 5])
  second.letGo()
  await Promise.all(all)
})

test('whoever finds too many waiting is refused with 503 and when to come back; those that wait are not', async () => {
  const inTurn = openLimiter({ atOnce: 1, mostWaiting: 2, longestWaitMs: 600_000 })
  const first = held()
  const running = inTurn('a', first.work)
  const waiting = [inTurn('a', async () => 1), inTurn('a', async () => 2)]
  await assert.rejects(
    inTurn('a', async () => 3),
    isRefused,
  )
  assert.equal(await inTurn('b', async () => 4), 4)
  first.letGo()
  await running
  assert.deepEqual(await Promise.all(waiting), [1, 2])
  assert.equal(await inTurn('a', async () => 5), 5)
})

test('bodies that wait have a bound together: a large one is refused beyond it, a small one waits, and so does a large one later', async () => {
  const inTurn = openLimiter({ atOnce: 1, mostWaiting: 10, longestWaitMs: 600_000 })
  const with20Megabytes = (work: () => Promise<number>) =>
    inRequest('r', () => {
      noteBody(20_000_000)
      return inTurn('a', work)
    })
  const first = held()
  const running = inTurn('a', first.work)
  const waiting = [with20Megabytes(async () => 1), with20Megabytes(async () => 2), inTurn('a', async () => 3)]
  await assert.rejects(
    with20Megabytes(async () => 4),
    isRefused,
  )
  first.letGo()
  await running
  assert.deepEqual(await Promise.all(waiting), [1, 2, 3])
  const second = held()
  const again = inTurn('a', second.work)
  const later = [with20Megabytes(async () => 5), with20Megabytes(async () => 6)]
  second.letGo()
  await again
  assert.deepEqual(await Promise.all(later), [5, 6])
})

test('whoever waited too long is refused, and its turn goes to the next; work that fails hands its turn on', async () => {
  const inTurn = openLimiter({ atOnce: 1, mostWaiting: 2, longestWaitMs: 1 })
  const first = held()
  const running = inTurn('a', async () => {
    await first.work()
    throw new Error('it failed')
  })
  await assert.rejects(
    inTurn('a', async () => assert.fail('its turn never came')),
    isRefused,
  )
  first.letGo()
  await assert.rejects(running, /it failed/)
  assert.equal(await inTurn('a', async () => 'free again'), 'free again')
})

test('of work about one person one piece runs at a time, in the order it came; work about others goes past it', async () => {
  const inTurn = openKeyedLimiter({ atOnce: 2, mostWaiting: 10, longestWaitMs: 600_000 })
  const first = held()
  const begun: string[] = []
  const begin = (name: string, about: string[]) => inTurn('a', about, async () => void begun.push(name))
  const all = [inTurn('a', ['device 1', 'user sara'], first.work)]
  all.push(begin('same device', ['device 1']), begin('same user', ['device 2', 'user sara']), begin('behind it', ['device 2']))
  await begin('somebody else', ['device 3', 'user omar'])
  await begin('nobody', [])
  assert.deepEqual(begun, ['somebody else', 'nobody'])
  first.letGo()
  await Promise.all(all)
  assert.deepEqual(begun, ['somebody else', 'nobody', 'same device', 'same user', 'behind it'])
})

test('work about somebody that waited too long is refused, and what waits behind it goes on', async () => {
  const inTurn = openKeyedLimiter({ atOnce: 2, mostWaiting: 10, longestWaitMs: 20 })
  const first = held()
  const running = inTurn('a', ['user sara'], first.work)
  await assert.rejects(
    inTurn('a', ['user sara', 'device 1'], async () => 1),
    isRefused,
  )
  assert.equal(await inTurn('a', ['device 1'], async () => 2), 2)
  first.letGo()
  await running
  assert.equal(await inTurn('a', ['user sara'], async () => 3), 3)
})
