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
  assert.deepEqual(readNameSearch("  Sara q '").words, [{ whole: 'sara' }, { whole: 'q' }])
  assert.deepEqual(readNameSearch('أحمد').words, [{ whole: 'احمد' }])
  assert.deepEqual(readNameSearch('al').sounds, [])
  assert.deepEqual(readNameSearch('&|!():*').words, [])
})

test('a name of two words is looked for as one word and as two, whichever was written', () => {
  const abdullah = [{ whole: 'عبدالله', apart: ['عبد', 'الله'] }]
  for (const written of ['عبدالله', 'عبد الله', 'عبد  اللّه']) assert.deepEqual(readNameSearch(written).words, abdullah, written)
  assert.deepEqual(readNameSearch('عبد الله').sounds, readNameSearch('Abdullah').sounds)
  assert.deepEqual(readNameSearch('Al-Harbi').words, [{ whole: 'alharbi', apart: ['al', 'harbi'] }])
  assert.deepEqual(readNameSearch('عبد').words, [{ whole: 'عبد' }])
})
