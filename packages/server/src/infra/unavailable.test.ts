import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConnectionError, isWriteConflict, isUnavailable } from './unavailable.ts'

const fault = (code: string) => Object.assign(new Error(code), { code })

test('a statement that takes too long says nothing of the database: whoever sent it comes again, for the others nothing is away', () => {
  assert.deepEqual([isConnectionError(fault('57014')), isUnavailable(fault('57014'))], [false, true])
  for (const code of ['57P01', '08006', '53300', 'ECONNREFUSED']) assert.equal(isConnectionError(fault(code)), true, code)
  for (const code of ['40001', '40P01', '55P03'])
    assert.deepEqual([isConnectionError(fault(code)), isUnavailable(fault(code))], [false, true], code)
})

test('a row that is there by now is a lost race, also where a cluster tells it in words alone; its other errors are none', () => {
  const told = (message: string) => Object.assign(new Error(message), { code: 'XX000' })
  assert.equal(isWriteConflict(fault('23505')), true)
  assert.equal(isWriteConflict(told('duplicate key value violates unique constraint "profiles_by_user_102014"')), true)
  assert.equal(isWriteConflict(told('cache lookup failed')), false)
})
