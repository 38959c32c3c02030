import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { openUploadSpace } from './upload-space.ts'

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 503 && error.retryAfter === 30
const MB = 1_000_000
const FILE = 100 * MB

test('uploads take of one space, whoever exceeds it is told when to come again, and what is gone is free', () => {
  const space = openUploadSpace(100)
  const [first, second] = [space.open('a', FILE), space.open('b', FILE)]
  first.take(60)
  second.take(40)
  assert.throws(() => second.take(1), isRefused)
  first.release()
  second.take(60)
  assert.throws(() => first.take(1), isRefused)
  second.release()
  second.release()
  first.take(100)
  assert.throws(() => space.open('b', FILE).take(1), isRefused)
})

test('one workspace takes a quarter at most, over all its uploads, and others have the rest', () => {
  const space = openUploadSpace(2_000 * MB)
  const own = Array.from({ length: 20 }, () => space.open('a', FILE))
  for (const share of own) share.take(25 * MB)
  assert.throws(() => own[0]?.take(1), isRefused)
  assert.throws(() => space.open('a', FILE).check(1), isRefused)
  const other = space.open('b', FILE)
  other.take(500 * MB)
  other.release()
  own[0]?.release()
  own[1]?.take(25 * MB)
})

test('a quarter that is smaller than a file is one file, and what is announced takes nothing', () => {
  const space = openUploadSpace(200 * MB)
  const share = space.open('a', FILE)
  for (let at = 0; at < 5; at++) share.check(100 * MB)
  share.take(100 * MB)
  assert.throws(() => share.take(1), isRefused)
  space.open('b', FILE).take(100 * MB)
})
