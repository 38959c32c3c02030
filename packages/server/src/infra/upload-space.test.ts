import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { openUploadSpace } from './upload-space.ts'

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 503 && error.retryAfter === 30

test('uploads take of one space, whoever exceeds it is told when to come again, and what is gone is free', () => {
  const space = openUploadSpace(100)
  const [first, second] = [space.open(), space.open()]
  first.take(60)
  second.take(40)
  assert.throws(() => second.take(1), isRefused)
  first.release()
  second.take(60)
  assert.throws(() => first.take(1), isRefused)
  second.release()
  second.release()
  first.take(100)
  assert.throws(() => space.open().take(1), isRefused)
})
