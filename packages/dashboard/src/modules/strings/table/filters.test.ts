import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseColumns, isFiltered, listQuery, readFilters, writeFilters } from './filters.ts'

test('filters come back from the address as they were written', () => {
  const written = writeFilters(new URLSearchParams('key=home.title&status=ok'), {
    q: 'عروض & more',
    status: 'review',
    sensor: 'true',
    hidden: 'false',
    namespace: 'shop',
    locales: ['ar', 'fr-CA'],
  })
  assert.equal(written.get('key'), 'home.title')
  assert.deepEqual(readFilters(new URLSearchParams(written.toString())), {
    q: 'عروض & more',
    namespace: 'shop',
    status: 'review',
    sensor: 'true',
    hidden: 'false',
    locales: ['ar', 'fr-CA'],
  })
  assert.equal(
    writeFilters(written, { status: '', locales: [], q: '', sensor: '', hidden: '', namespace: '' }).toString(),
    'key=home.title',
  )
})

test('what the address says wrong is no filter', () => {
  const filters = readFilters(new URLSearchParams('status=approved&sensor=yes&hidden=1&locales=,,'))
  assert.deepEqual(filters, { q: '', namespace: '', status: '', sensor: '', hidden: '', locales: [] })
  assert.equal(isFiltered(filters), false)
  assert.equal(isFiltered({ ...filters, locales: ['ar'] }), false)
  assert.equal(isFiltered({ ...filters, hidden: 'true' }), true)
})

test('columns: those asked for, in the order of the workspace; else a few languages, or one of many', () => {
  const locales = ['ar', 'de', 'fr', 'tr'].map((code) => ({ code }))
  const codes = (asked: string[], of = locales) => chooseColumns(of, asked).map(({ code }) => code)
  assert.deepEqual(codes(['fr', 'ar', 'xx']), ['ar', 'fr'])
  assert.deepEqual(codes([]), ['ar'])
  assert.deepEqual(codes(['xx']), ['ar'])
  assert.deepEqual(codes([], locales.slice(0, 3)), ['ar', 'de', 'fr'])
  assert.deepEqual(codes(['ar'], []), [])
})

test('the status is of the one column there is', () => {
  const filters = readFilters(new URLSearchParams('status=review'))
  assert.equal(listQuery(filters, [{ code: 'ar' }])['locale'], 'ar')
  assert.equal(listQuery(filters, [{ code: 'ar' }, { code: 'fr' }])['locale'], undefined)
  assert.equal(listQuery(filters, [])['locale'], undefined)
})
