import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GenerationalCacheByWorkspace } from './generational-cache-by-workspace.ts'

test('the same key of two workspaces is two entries; what is used stays, and the bound is for all of them', () => {
  const held = new GenerationalCacheByWorkspace<number>(100)
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

test('values may be bounded by their size, and all that are held can be gone through', () => {
  const held = new GenerationalCacheByWorkspace<{ size: number }>(100, ({ size }) => size)
  const [large, small] = [{ size: 40 }, { size: 5 }]
  held.set('a', 'key', large)
  held.set('b', 'key', small)
  assert.deepEqual([held.size, [...held.values()]], [45, [large, small]])
  held.set('a', 'key', small)
  assert.equal(held.size, 10)
  for (let i = 0; i < 50; i++) {
    held.set('c', String(i), large)
    assert.ok(held.size <= 150, String(held.size))
  }
  assert.equal(held.get('b', 'key'), undefined)
  held.delete('c', '49')
  assert.equal([...held.values()].includes(large), held.size >= 40)
})
