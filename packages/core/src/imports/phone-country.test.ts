import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacksCountry, withCountry } from './phone-country.ts'

test('numbers get the code of their country where they lack one', () => {
  const cases: [text: string, code: string, number: string][] = [
    ['0501234567', '966', '+966501234567'],
    ['501234567', '966', '+966501234567'],
    ['966501234567', '966', '+966501234567'],
    ['050 123-4567', '966', '+966501234567'],
    ['٠٥٠١٢٣٤٥٦٧', '966', '+966501234567'],
    ['+971501234567', '966', '+971501234567'],
    ['00971501234567', '966', '00971501234567'],
    ['9661234', '966', '+9669661234'],
    ['9.66E+11', '966', '9.66E+11'],
    ['', '966', ''],
    ['sara', '966', 'sara'],
  ]
  for (const [text, code, number] of cases) assert.equal(withCountry(text, code), number, text)
  assert.deepEqual(['0501234567', '+966501234567', '00966501234567', 'x', '123'].map(lacksCountry), [true, false, false, false, false])
})
