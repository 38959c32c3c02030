import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlaceholderId } from './placeholder-ids.ts'

test('the text of a value that was not there is a placeholder, an id that holds such a word is not', () => {
  for (const id of ['null', 'undefined', 'NaN', '[object Object]', ' ', '\t\u00a0', ' Null ', '00000000-0000-0000-0000-000000000000'])
    assert.ok(isPlaceholderId(id), id)
  for (const id of ['nullah', 'undefined-7', '0', 'sara', '.', '..', 'guest-12', 'anna n.']) assert.ok(!isPlaceholderId(id), id)
})
