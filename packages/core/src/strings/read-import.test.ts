import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from './parse-csv.ts'
import { runToEnd } from '../steps.ts'
import { planSync, type StoredString } from './plan-sync.ts'
import { counts, describeRows, ImportTally, readImport, type ImportRow } from './read-import.ts'

const LANGUAGES = { sourceLocale: 'en', locales: ['en', 'ar'] }

function rowsOf(text: string): ImportRow[] {
  const parsed = parseCsv(text)
  assert.ok(parsed.ok)
  const read = runToEnd(readImport(parsed.table))
  assert.ok(read.ok, JSON.stringify(read))
  return read.rows
}

function planned(text: string, stored: Record<string, StoredString> = {}) {
  const rows = rowsOf(text)
  const counted = rows.filter(counts)
  const rowsOfPlan = counted.map(({ row }) => row)
  const plan = runToEnd(planSync(rowsOfPlan, new Map(Object.entries(stored)), LANGUAGES))
  const tally = new ImportTally(rows)
  tally.add(counted, plan)
  return { summary: tally.summary(), effects: describeRows(rows, plan) }
}

test('M-STRS-36 columns are found by their names, in any order and case', () => {
  const [row] = rowsOf('AR,SourceText,Key,,Description,namespace\nا,A,k,ignored,about,shop')
  assert.deepEqual(row?.row, { key: 'k', namespace: 'shop', description: 'about', sourceText: 'A', values: new Map([['AR', 'ا']]) })
  const parsed = parseCsv('name,en\nk,A')
  assert.deepEqual(parsed.ok && runToEnd(readImport(parsed.table)), { ok: false, error: 'the header has no column "key"; it has name, en' })
})

test('G-40 blank cells are not sent, and texts are never trimmed', () => {
  const [row] = rowsOf('key,namespace,description,en,ar\nk,,, A ,')
  assert.deepEqual(row?.row, { key: 'k', values: new Map([['en', ' A ']]) })
  assert.deepEqual(rowsOf('key,en\n,\n,,,\n'), [])
})

test('G-40 rows that cannot be taken are told with their line', () => {
  const { summary } = planned(`key,en,ar\n,A,\na,A,B,C\n${'k'.repeat(201)},A,\nnew,,B\nlast,A,B,`)
  assert.deepEqual(
    summary.rejected.map(({ line, key, reason }) => [line, key.length > 9 ? key.length : key, reason]),
    [
      [2, '', 'missing_key'],
      [3, 'a', 'too_many_cells'],
      [4, 200, 'limit_exceeded'],
      [5, 'new', 'missing_source_text'],
    ],
  )
  assert.deepEqual([summary.rows, summary.created, summary.rejectedCount, summary.translationsWritten], [5, 1, 4, 1])
})

test('G-41 of rows with the same key the last one counts, those that are refused aside', () => {
  const { summary, effects } = planned('key,en,ar\nk,A,\nk,B,ب\nk,C,,too many')
  assert.deepEqual([summary.created, summary.overridden, summary.rejectedCount], [1, 1, 1])
  assert.deepEqual(
    effects.map(({ line, outcome, translations }) => [line, outcome, translations.length]),
    [
      [2, 'overridden', 0],
      [3, 'created', 1],
      [4, 'rejected', 0],
    ],
  )
})

test('M-STRS-42 the rules of status are those of a sync', () => {
  const text = (arabic: string) => new Map([['ar', { text: arabic, status: 'ok' as const }]])
  const stored = {
    same: { namespace: 'app', description: '', sourceText: 'A', translations: text('ا') },
    source: { namespace: 'app', description: '', sourceText: 'A', translations: text('ا') },
    both: { namespace: 'app', description: '', sourceText: 'A', translations: text('ا') },
    other: { namespace: 'app', description: '', sourceText: 'A', translations: text('ا') },
  }
  const { summary, effects } = planned('key,en,ar,xx\nsame,A,ا,\nsource,B,,\nboth,B,ب,\nother,A,ب,x\nnew,A,ا,', stored)
  assert.deepEqual(
    effects.map(({ key, outcome, sendsToReview, translations }) => [key, outcome, sendsToReview, translations[0]?.status]),
    [
      ['same', 'unchanged', false, undefined],
      ['source', 'updated', true, undefined],
      ['both', 'updated', true, 'review'],
      ['other', 'updated', false, 'ok'],
      ['new', 'created', false, 'ok'],
    ],
  )
  assert.deepEqual(summary.skippedLocales, ['xx'])
  assert.deepEqual([summary.created, summary.updated, summary.unchanged, summary.translationsWritten], [1, 3, 1, 3])
})
