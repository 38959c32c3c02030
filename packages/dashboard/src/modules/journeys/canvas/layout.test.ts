import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { CARD, layOut } from './layout.ts'

const wait = (id: string): Step => ({ id, type: 'wait', minutes: 1 })
const fork = (id: string, met: Step[], otherwise: Step[]): Step => ({
  id,
  type: 'condition',
  rule: { logicalOperator: 'AND', rules: [] },
  then: met,
  else: otherwise,
})

test('cards never lie on each other, and "if met" comes first', () => {
  const inner = fork('in', [wait('c')], [wait('d')])
  const { boxes, width } = layOut([wait('a'), fork('if', [wait('b'), inner], [wait('e')]), wait('f')], CARD.height)
  const cards = boxes.filter(({ kind }) => kind === 'step')
  for (const [index, one] of cards.entries())
    for (const other of cards.slice(index + 1))
      assert.ok(Math.abs(one.x - other.x) >= CARD.width || Math.abs(one.y - other.y) >= CARD.height, `${one.id} lies on ${other.id}`)
  const at = (id: string) => boxes.find((box) => box.id === id)!
  assert.ok(at('b').x < at('e').x)
  assert.ok(at('c').x < at('d').x)
  assert.deepEqual([at('a').x, at('if').x, at('f').x], [0, 0, 0])
  assert.ok(boxes.every(({ x }) => Math.abs(x) <= width / 2))
})

test('every line is a place for a step, and none leads on from an end', () => {
  const { lines } = layOut([fork('if', [{ id: 'x', type: 'exit' }], []), wait('z')], CARD.height)
  assert.deepEqual(
    lines.map(({ from, to, branch, isDead, place: { parent, index } }) => [from, to, branch ?? parent?.branch, index, isDead]),
    [
      ['trigger', 'if', undefined, 0, false],
      ['if', 'x', 'then', 0, false],
      ['if', 'join if', 'else', 0, false],
      ['join if', 'z', undefined, 1, false],
      ['z', 'end', undefined, 2, false],
    ],
  )
  const dead = layOut([fork('if', [{ id: 'x', type: 'exit' }], [{ id: 'y', type: 'exit' }]), wait('z')], CARD.height)
  assert.deepEqual(
    dead.lines.filter(({ isDead }) => isDead).map(({ from }) => from),
    ['join if', 'z'],
  )
})
