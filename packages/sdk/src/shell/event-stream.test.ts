import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { createStreamParser, type Heard } from './event-stream.ts'

function hear(pieces: readonly string[]): Heard {
  const parse = createStreamParser()
  const all: Heard = { signals: 0 }
  for (const piece of pieces) {
    const { signals, ...rest } = parse(piece)
    all.signals += signals
    Object.assign(all, rest)
  }
  return all
}

/** The same text cut at these places. */
const cut = (text: string, places: readonly number[]) =>
  [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length].flatMap((place, i, all) =>
    text.slice(all[i - 1] ?? 0, place),
  )

test('C-STREAM-15 signals are counted whatever their name, with or without data; comments are not', () => {
  assert.deepEqual(hear([': connected\n\n']), { signals: 0 })
  assert.deepEqual(hear(['id: 7\nevent: block.published\ndata: {}\n\n']), { signals: 1, lastEventId: '7' })
  assert.deepEqual(hear(['event:something.new\n\n', 'data\n\n', ': keep-alive\n\n']), { signals: 2 })
  assert.deepEqual(hear(['retry: 2500\n\n']), { signals: 0, retryMs: 2500 })
  assert.deepEqual(hear(['id: 7\nevent: block.published\ndata: {}\n']), { signals: 0 }, 'half an event is none')
})

const lines = fc.constantFrom(
  'id: 1',
  'id: 22',
  'id',
  'event: a',
  'event: block.updated',
  'data: {}',
  'data',
  ': keep-alive',
  ':',
  'retry: 10',
  'retry: x',
  'unknown: 1',
  '',
)
const ends = fc.constantFrom('\n', '\r\n', '\r')

test('pieces of any length, with any line ends, say the same as another parser of the format', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(lines, ends), { maxLength: 30 }), fc.array(fc.nat(400), { maxLength: 10 }), (all, places) => {
      const text = `${all.map(([line, end]) => line + end).join('')}\n\n`
      const heard = hear(cut(text, places))
      let events = 0
      let retryMs: number | undefined
      const parser = createParser({ onEvent: () => void events++, onRetry: (retry) => void (retryMs = retry) })
      parser.feed(text)
      // The other one wants data; here an event without any is a signal too.
      assert.ok(heard.signals >= events, JSON.stringify(text))
      assert.equal(heard.retryMs, retryMs)
      assert.deepEqual(heard, hear([text]), 'wherever it is cut')
    }),
    { numRuns: 2_000 },
  )
})
