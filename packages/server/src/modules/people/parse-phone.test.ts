import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhone } from './parse-phone.ts'

test('G-44 numbers are kept in international form; those that begin with 05 are Saudi', () => {
  for (const [text, country, number] of [
    ['0512345678', undefined, '+966512345678'],
    ['05 1234-5678', undefined, '+966512345678'],
    ['0512345678', 'EG', '+966512345678'],
    ['+966512345678', undefined, '+966512345678'],
    ['00966512345678', undefined, '+966512345678'],
    ['+966 (51) 234.5678', 'EG', '+966512345678'],
    ['512345678', 'SA', '+966512345678'],
    ['0100 123 4567', 'EG', '+201001234567'],
    ['\u0660\u0665\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668', undefined, '+966512345678'],
    ['+\u06f9\u06f6\u06f6\u06f5\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8', undefined, '+966512345678'],
    ['\u202a+966512345678\u202c', undefined, '+966512345678'],
  ] as const)
    assert.equal(parsePhone(text, country), number, text)
})

test('G-44 what is not a number as a whole is none', () => {
  for (const [text, country] of [
    ['', 'SA'],
    ['call me', 'SA'],
    ['mobile 0512345678', 'SA'],
    ['0512345678 or 0512345679', 'SA'],
    ['+966512345678 ext. 5', undefined],
    ['123', 'SA'],
    ['12345', 'SA'],
    ['512345678', undefined],
    ['0100 123 4567', undefined],
    ['0100 123 4567', 'ZZ'],
    ['+999123456789', undefined],
    ['+'.repeat(100_000), 'SA'],
    ['5'.repeat(100_000), 'SA'],
  ] as const)
    assert.equal(parsePhone(text, country), undefined, text.slice(0, 40))
})
