/** The queue with a lane and calls that end when the test says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Lane } from './dispatcher.ts'
import { SendQueue, type Settled } from './send-queue.ts'

function open({ isQuick = true, atOnce = 4 } = {}) {
  const called = new Map<string, PromiseWithResolvers<string>>()
  const recorded: { settled: readonly Settled<string, string>[]; isLast: boolean }[] = []
  const held = { isStopped: false, failure: undefined as Error | undefined, claimed: 0 }
  const lane: Lane = {
    batch: () => 10,
    isQuick: () => isQuick,
    atOnce: () => atOnce,
    skip: () => undefined,
    claim: (count) => void (held.claimed += count),
    giveBack: () => void held.claimed--,
    call: (work) => work().finally(() => held.claimed--),
  }
  const queue = new SendQueue<string, string>(lane, {
    isStopped: () => held.isStopped,
    call: (send) => {
      assert.ok(!called.has(send), `${send} is called twice`)
      called.set(send, Promise.withResolvers())
      return called.get(send)!.promise
    },
    giveBack: () => 'due',
    record: async (settled, isLast) => {
      recorded.push({ settled, isLast })
      if (held.failure) throw held.failure
    },
  })
  const outcomes = () => recorded.flatMap(({ settled }) => settled.map(({ send, outcome }) => `${send} ${outcome}`))
  /** Ends calls as they come, but this one's. */
  const answerAllBut = async (slow?: string) => {
    for (let idle = 0; idle < 3; idle++) {
      for (const [send, { resolve }] of called) if (send !== slow) resolve('sent')
      const before = called.size
      await turn()
      if (called.size > before) idle = 0
    }
  }
  return { queue, called, recorded, outcomes, held, answerAllBut }
}
const batch = (name: string, count = 10) => Array.from({ length: count }, (_, n) => `${name}${n}`)

test('a call that hangs keeps no other waiting, and the next batch is claimed meanwhile', async () => {
  const { queue, called, outcomes, held, answerAllBut } = open()
  queue.add(batch('a'))
  await answerAllBut('a3')
  assert.equal(await queue.hasRoom(10), true)
  queue.add(batch('b'))
  await answerAllBut('a3')
  assert.equal(called.size, 20)
  called.get('a3')!.resolve('sent')
  await queue.end()
  assert.deepEqual(outcomes().toSorted(), [...batch('a'), ...batch('b')].map((send) => `${send} sent`).toSorted())
  assert.equal(held.claimed, 0)
})

test('where the provider is slow the next batch waits until all before are written down', async () => {
  const { queue, called, outcomes, answerAllBut } = open({ isQuick: false })
  queue.add(batch('a'))
  let isFree = false
  const free = queue.hasRoom(10).then(() => (isFree = true))
  await answerAllBut('a3')
  assert.deepEqual([isFree, called.size], [false, 10])
  called.get('a3')!.resolve('sent')
  await free
  assert.equal(outcomes().length, 10)
})

test('no more are under way than the lane takes, and what is not called when sending stops is given back', async () => {
  const { queue, called, outcomes, held, answerAllBut, recorded } = open()
  queue.add(batch('a'))
  assert.equal(called.size, 4)
  held.isStopped = true
  await answerAllBut()
  await queue.end()
  assert.equal(called.size, 4)
  assert.deepEqual([outcomes().length, outcomes().filter((text) => text.endsWith(' due')).length], [10, 6])
  assert.equal(recorded.at(-1)?.isLast, true)
})

test('when outcomes cannot be written nothing more is claimed or called, and the error is thrown at the end', async () => {
  const { queue, called, held, answerAllBut } = open({ atOnce: 1 })
  held.failure = new Error('no database')
  queue.add(['a'])
  await answerAllBut()
  assert.equal(await queue.hasRoom(10), false)
  queue.add(batch('b'))
  await assert.rejects(queue.end(), /no database/)
  assert.equal(called.size, 1)
  assert.equal(held.claimed, 0)
})
