import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../../limits.ts'
import { isTooLongForAll, type ShownBlock } from './answer-length.ts'

const most = LIMITS.answerLength
const of = (id: string, length: number, children: string[] = [], isForAll = true): ShownBlock => ({ id, length, children, isForAll })
const many = (name: string, count: number, length: number, children: string[] = []) =>
  Array.from({ length: count }, (_, index) => of(`${name}${index}`, length, children))
const idsOf = (shown: readonly ShownBlock[]) => shown.map(({ id }) => id)

test('what everybody gets counts as often as it is inlined, with the ids that collections name', () => {
  const leaves = many('leaf', 100, 2_000)
  const middles = many('middle', 9, 10, idsOf(leaves))
  const tops = (count: number) => many('top', count, 10, idsOf(middles))
  const cases: [name: string, shown: ShownBlock[], isTooLong: boolean][] = [
    ['nothing', [], false],
    ['as much as there may be', [of('a', most)], false],
    ['one more', [of('a', most), of('b', 1)], true],
    ['the same for a segment alone', [of('a', most), of('b', 1, [], false)], false],
    ['a child inlined twice', [of('a', most / 2), of('b', 1, ['a'])], true],
    ['a child for a segment', [of('a', most, [], false), of('b', 1, ['a'])], false],
    ['a child that is not there', [of('b', 1, ['a'])], false],
    [
      'ids alone',
      [
        of(
          'b',
          1,
          Array.from({ length: most / 10 + 1 }, () => 'x'.repeat(10)),
        ),
      ],
      true,
    ],
    ['itself, and an ancestor', [of('a', most / 4, ['b']), of('b', most / 5, ['a', 'b'])], false],
    ['collections of collections', [...leaves, ...middles, ...tops(6)], false],
    ['a few more of them', [...leaves, ...middles, ...tops(10)], true],
    [
      'no more children than a block may have',
      [
        of('leaf', most / 1_500),
        of(
          'top',
          1,
          Array.from({ length: 5_000 }, () => 'leaf'),
        ),
      ],
      false,
    ],
  ]
  for (const [name, shown, isTooLong] of cases) assert.equal(isTooLongForAll(shown), isTooLong, name)
})

test('children are followed as deep as an answer has them, and no deeper', () => {
  const depth = LIMITS.collectionDepth
  const chain = Array.from({ length: depth + 1 }, (_, index) => of(String(index), 1, [String(index + 1)]))
  // The last one stands by itself, and below all but the first, from which it is too far.
  const times = depth + 1
  const last = (length: number) => of(String(depth + 1), length)
  assert.equal(isTooLongForAll([...chain, last(most / times - 100)]), false)
  assert.equal(isTooLongForAll([...chain, last(most / times + 100)]), true)
})
