import assert from 'node:assert/strict'
import { test } from 'node:test'
import { change, redo, startHistory, undo } from './history.ts'

test('changes are taken back and done again; typing in one field is one change', () => {
  let history = startHistory('')
  for (const text of ['h', 'he', 'hey']) history = change(history, text, 'title')
  history = change(history, 'hey!', 'body')
  history = undo(history)
  assert.equal(history.now, 'hey')
  history = undo(history)
  assert.equal(history.now, '')
  assert.equal(undo(history).now, '')
  history = redo(redo(history))
  assert.equal(history.now, 'hey!')
  assert.equal(redo(history).now, 'hey!')
  history = change(undo(history), 'other', 'title')
  assert.deepEqual([history.after, undo(history).now], [[], 'hey'])
})
