import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeEdits } from './edits.ts'

const title = { key: 'home.title', locale: 'ar' }

test('what is typed stays until it is closed, and opening again does not take it back', () => {
  const edits = makeEdits()
  edits.open(title, 'أهلا')
  assert.equal(edits.isDirty(), false)
  edits.type(title, 'أهلا بك')
  edits.open(title, 'أهلا')
  assert.deepEqual(edits.of(title), { text: 'أهلا بك', before: 'أهلا' })
  assert.equal(edits.isDirty(), true)
  assert.equal(edits.of({ ...title, locale: 'fr' }), undefined)
  edits.type(title, 'أهلا')
  assert.equal(edits.isDirty(), false)
  edits.close(title)
  assert.equal(edits.of(title), undefined)
})

test('what nothing opened is measured by what is stored', () => {
  const edits = makeEdits()
  const description = { key: 'home.title', locale: '#description' }
  edits.type(description, 'Heading', 'Heading')
  assert.equal(edits.isDirty(), false)
  edits.type(description, 'Heading of the page', 'Heading')
  assert.equal(edits.isDirty(), true)
})

test('listeners hear of changes, and of nothing after they left', () => {
  const edits = makeEdits()
  let heard = 0
  const leave = edits.subscribe(() => heard++)
  edits.open(title, '')
  edits.type(title, 'a')
  edits.close({ ...title, key: 'another' })
  assert.equal(heard, 2)
  leave()
  edits.close(title)
  assert.equal(heard, 2)
})
