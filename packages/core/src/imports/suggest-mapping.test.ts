import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestMapping } from './suggest-mapping.ts'

const suggest = (columns: Record<string, string[]>) => suggestMapping(Object.entries(columns).map(([name, values]) => ({ name, values })))

test('whom a row is about: a user id before an email before a phone number, known by heading and values', () => {
  assert.deepEqual(suggest({ Email: ['a@x.io', 'b@x.io'], 'Customer ID': ['u1', 'u2'] }).identity, { at: 1, type: 'userId' })
  assert.deepEqual(suggest({ Tier: ['gold', 'gold'], Contact: ['a@x.io', 'b@x.io'] }).identity, { at: 1, type: 'email' })
  assert.deepEqual(suggest({ 'رقم الجوال': ['0501234567', '+966 50 123 4568'] }).identity, { at: 0, type: 'phone' })
  assert.deepEqual(suggest({ phone_hash: ['a'.repeat(64)], x: ['1'] }).identity, { at: 0, type: 'phone_sha256' })
  assert.deepEqual(suggest({ hash: ['0'.repeat(64)] }).identity, { at: 0, type: 'email_sha256' })
  assert.deepEqual(suggest({ 'معرف العميل': ['1', '2'] }).identity, { at: 0, type: 'userId' })
  assert.equal(suggest({ tier: ['gold'], points: ['1'] }).identity, undefined)
})

test('types are told from every value; codes are no numbers', () => {
  const columns = { points: ['1,200', '3.5', ' '], vip: ['yes', 'no'], since: ['2024-05-01', '2024-05-01T10:00:00Z'], tags: ['a|b', 'c'] }
  const more = { zip: ['01234', '01235'], day: ['01/05/2024'], empty: [], mixed: ['1', 'x'], flag: ['0', '1'] }
  assert.deepEqual(
    suggest({ ...columns, ...more }).columns.map(({ type }) => type),
    ['number', 'boolean', 'date', 'list', 'string', 'string', 'string', 'string', 'number'],
  )
})

test('attribute names are what the server takes, each once', () => {
  const names = (...headings: string[]) => suggestMapping(headings.map((name) => ({ name, values: ['x'] }))).columns.map(({ name }) => name)
  assert.deepEqual(names('Tier (2026)', 'tier 2026', 'فئة العميل', '!!', 'x'.repeat(80)), [
    'tier_2026',
    'tier_2026_2',
    'فئة_العميل',
    'column_4',
    'x'.repeat(50),
  ])
})

test('personal data is known by heading or by values', () => {
  const columns = { 'First name': ['Sara'], تاريخ_الميلاد: ['1990-01-01'], note: ['a@x.io'], number: ['1023456789'], tier: ['gold'] }
  assert.deepEqual(
    suggest(columns).columns.map(({ pii }) => pii),
    [true, true, true, true, false],
  )
})
