import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplesOf } from './key-sample.ts'

const codes = (kind: Parameters<typeof samplesOf>[0]) => samplesOf(kind, 'the-key', 'https://cf.example')

test('C-AUTH-44 SDK code is offered for publishable keys only', () => {
  for (const kind of ['publishable', 'secret', 'write', 'read'] as const)
    assert.equal(
      codes(kind).some(({ language }) => language === 'sdk'),
      kind === 'publishable',
    )
})

test('every sample holds the key, in the header of its kind, and the address of this server', () => {
  const headers = { publishable: 'X-CF-Key', secret: 'X-CF-Key', write: 'X-CF-Write-Key', read: 'X-CF-Read-Key' }
  for (const kind of ['publishable', 'secret', 'write', 'read'] as const) {
    const samples = codes(kind)
    for (const { code } of samples) assert.ok(code.includes('the-key') && code.includes('https://cf.example/'), code)
    assert.ok(samples.at(-1)?.code.includes(`'${headers[kind]}: the-key'`))
  }
})
