/** The pages of docs/reference, held to the lists of the code that they describe, in both directions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ERRORS } from '../../src/errors.ts'

const read = (name: string) => readFileSync(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8')

test('docs/reference/errors.md has every code of the server once, with its status, and no other', () => {
  const page = read('errors.md')
  const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, code = '']) => code)
  const statuses = new Map([...page.matchAll(/^### ([A-Z_]+)\n\n(\d{3})[.,] /gm)].map(([, code = '', status]) => [code, Number(status)]))
  const known = Object.entries(ERRORS).map(([code, [status]]) => [code, status] as const)
  assert.deepEqual(headings.toSorted(), known.map(([code]) => code).toSorted())
  assert.deepEqual(Object.fromEntries(statuses), Object.fromEntries(known))
})

test('docs/reference/limits.md has every number of limits.ts in its row, and no row besides', () => {
  const rows = [...read('limits.md').matchAll(/^\| [^|]+ \| ([^|]+) \| [^|]* \| `(\w+)` +\|$/gm)]
  const described = rows.map(([, value = '', name = '']) => [
    name,
    [...value.matchAll(/-?\d[\d,]*\d|\d/g)].map(([number]) => Number(number.replaceAll(',', ''))),
  ])
  const known = Object.entries(LIMITS).map(([name, value]) => [name, typeof value === 'number' ? [value] : Object.values(value)])
  assert.equal(new Set(rows.map(([, , name]) => name)).size, rows.length, 'each has one row')
  assert.deepEqual(Object.fromEntries(described), Object.fromEntries(known))
})
