import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDecimalComma, latinDigits, readNumber, writeNumber } from './read-number.ts'

const READ: [string, number | undefined][] = [
  ['', undefined],
  ['  ', undefined],
  ['\u200f', undefined],
  ['12.5', 12.5],
  ['12.', 12],
  ['.5', 0.5],
  ['-3', -3],
  ['−3', -3],
  ['- 3', -3],
  ['+7', 7],
  ['24.7136', 24.7136],
  ['١٢٫٥', 12.5],
  ['۱۲٫۵', 12.5],
  ['١٬٢٣٤٫٥٠', 1234.5],
  ['١٢،٥', 12.5],
  ['\u061c-٤٫٢٥', -4.25],
  ['1٬234', 1234],
  ['12,5', 12.5],
  ['0,125', 0.125],
  ['1,234', 1234],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1.234.567', 1234567],
  ['1 234,5', 1234.5],
  ['1\u202f234', 1234],
  ["1'234.5", 1234.5],
  ['12,34,567', 1234567],
  ['45%', 45],
  ['٤٥٪', 45],
  ['007', 7],
  ['0.1', 0.1],
  ['123456789012345', 123456789012345],
  ['9007199254740992000', 9007199254740992000],
]

test('numbers are read in every way of writing them', () => {
  for (const [typed, value] of READ) assert.deepEqual(readNumber(typed), { value }, typed)
})

test('a comma before three digits is a decimal sign where the language has it so', () => {
  assert.deepEqual(readNumber('1,234', {}, true), { value: 1.234 })
  assert.deepEqual(readNumber('1,234,567', {}, true), { value: 1234567 })
  assert.deepEqual(['en', 'en-GB', 'ar', 'ar-SA', 'fa', 'de', 'fr-FR', 'not a language'].map(isDecimalComma), [
    false,
    false,
    false,
    false,
    false,
    true,
    true,
    false,
  ])
})

test('what is no number is never read as part of one', () => {
  for (const typed of [
    '12a',
    'a',
    '-',
    '.',
    ',',
    '1e5',
    '0x10',
    '1..2',
    '1.2,3.4',
    '1,23,4',
    '1,,234',
    ',234,567',
    '--1',
    '1-2',
    '12.5.',
    '5$',
  ])
    assert.deepEqual(readNumber(typed), { value: Number.NaN, fault: 'notNumber' }, typed)
  for (const typed of ['1234567890123456789', '0.1234567890123456789'])
    assert.deepEqual(readNumber(typed), { value: Number.NaN, fault: 'tooPrecise' }, typed)
})

test('bounds are told and change nothing', () => {
  const bounds = { min: 1, max: 99, isWhole: true }
  assert.deepEqual(readNumber('100', bounds), { value: 100, fault: 'outOfRange' })
  assert.deepEqual(readNumber('0', bounds), { value: 0, fault: 'outOfRange' })
  assert.deepEqual(readNumber('12.5', bounds), { value: 12.5, fault: 'notWhole' })
  assert.deepEqual(readNumber('99', bounds), { value: 99 })
})

test('what is shown of a number reads as that number', () => {
  for (const value of [0, -0.5, 12.5, 24.7136, 1e-7, 1e15, 1234567.891, -1e6]) assert.deepEqual(readNumber(writeNumber(value)), { value })
  assert.equal(writeNumber(undefined), '')
  assert.equal(writeNumber(Number.NaN), '')
  assert.equal(latinDigits('٠١٢۳۴５-x'), '012345-x')
})
