import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentByWorkspace } from './recent-by-workspace.ts'

test('the same key of two workspaces is two entries; what is used stays, and the bound is for all of them', () => {
  const held = new RecentByWorkspace<number>(100)
  held.set('a', 'key', 1)
  held.set('b', 'key', 2)
  for (let i = 0; i < 1_000; i++) {
    held.set('c', `key-${i}`, i)
    assert.equal(held.get('a', 'key'), 1)
    assert.ok(held.size <= 102, String(held.size))
  }
  assert.deepEqual([held.get('b', 'key'), held.get('c', 'key-999'), held.get('a', 'key-999')], [undefined, 999, undefined])
  held.delete('a', 'key')
  assert.equal(held.get('a', 'key'), undefined)
  held.delete('a', 'key')
  const before = held.size
  held.set('c', 'key-999', 5)
  assert.deepEqual([held.get('c', 'key-999'), held.size], [5, before])
})
