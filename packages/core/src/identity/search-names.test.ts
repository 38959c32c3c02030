import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNameSearch } from './search-names.ts'

test('a name has the same consonants in either script', () => {
  for (const [latin, arabic] of [
    ['Mohammed', 'محمد'],
    ['Khaled', 'خالد'],
    ['Sarah', 'سارة'],
    ['Abdullah', 'عبدالله'],
    ['Fatimah', 'فاطمة'],
    ['Harbi', 'الحربي'],
    ['Qahtani', 'القحطاني'],
    ['Yousef', 'يوسف'],
    ['Ghada', 'غادة'],
  ] as const)
    assert.deepEqual(readNameSearch(latin).sounds, readNameSearch(arabic).sounds, latin)
})

test('words are folded; what has one consonant only is not looked for by it', () => {
  assert.deepEqual(readNameSearch("  Sara AL-q '").words, ['sara', 'al', 'q'])
  assert.deepEqual(readNameSearch('أحمد').words, ['احمد'])
  assert.deepEqual(readNameSearch('al').sounds, [])
  assert.deepEqual(readNameSearch('&|!():*').words, [])
})
