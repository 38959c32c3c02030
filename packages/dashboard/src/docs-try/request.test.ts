import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { askedFor, buildRequest, curlOf, type Operation, type Scheme, type Typed } from './request.ts'

const schemes = new Map<string, Scheme>([
  ['appKey', { type: 'apiKey', in: 'header', name: 'X-CF-Key' }],
  ['appKeyInQuery', { type: 'apiKey', in: 'query', name: 'key' }],
  ['portalToken', { type: 'http', scheme: 'bearer' }],
  ['tenant', { type: 'apiKey', in: 'header', name: 'X-Tenant-Id' }],
])
const typed = (values: Record<string, string> = {}, credentials: Record<string, string> = {}, body = ''): Typed => {
  return { values: new Map(Object.entries(values)), credentials: new Map(Object.entries(credentials)), body }
}
const content = { 'application/json': { example: {} } }

test('parameters stand where they belong, those left empty nowhere, and nothing typed changes the address', () => {
  const operation: Operation = {
    parameters: [
      { name: 'key', in: 'path', required: true },
      { name: 'limit', in: 'query' },
      { name: 'cursor', in: 'query' },
      { name: 'x-cf-device', in: 'header' },
    ],
  }
  const values = { 'path key': 'a/b $& ?', 'query limit': '5', 'query cursor': '', 'header x-cf-device': 'd' }
  const { method, path, headers, body } = buildRequest('get', '/sdk/v1/blocks/{key}', operation, schemes, typed(values, {}, 'ignored'))
  assert.deepEqual([method, path], ['GET', '/sdk/v1/blocks/a%2Fb%20%24%26%20%3F?limit=5'])
  assert.deepEqual([headers, body], [[{ name: 'x-cf-device', value: 'd' }], undefined])
})

test('a key goes into its header; without a token the session of the dashboard is used', () => {
  const stream: Operation = { security: [{ appKey: [] }, { appKeyInQuery: [] }] }
  assert.deepEqual(askedFor(stream, schemes), ['appKey'])
  const headersOf = (operation: Operation, credentials: Record<string, string>) =>
    buildRequest('get', '/', operation, schemes, typed({}, credentials)).headers.map(({ name, value }) => [name, value])
  assert.deepEqual(headersOf(stream, { appKey: 'cf_k' }), [['X-CF-Key', 'cf_k']])
  assert.deepEqual(headersOf(stream, {}), [])
  const member: Operation = { security: [{ portalToken: [], tenant: [] }] }
  assert.deepEqual(headersOf(member, { tenant: 'w' }), [
    ['X-CF-Dashboard', 'docs'],
    ['X-Tenant-Id', 'w'],
  ])
  assert.deepEqual(headersOf(member, { portalToken: 't', tenant: 'w' })[0], ['Authorization', 'Bearer t'])
})

test('the line of curl holds no secret, and a shell reads of it exactly what is sent', () => {
  const operation: Operation = { security: [{ appKey: [] }], requestBody: { content } }
  const body = '{"say": "it\'s $HOME and `date` \\\\ \\"so\\""}\n'
  const request = buildRequest('post', '/x', operation, schemes, typed({}, { appKey: 'cf_secret' }, body))
  const line = curlOf(request, 'https://flow.example')
  assert.ok(!line.includes('cf_secret'))
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const read = execFileSync('sh', ['-c', script], { env: { X_CF_KEY: 'cf_mine' } })
    .toString()
    .split('\0')
    .slice(0, -1)
  const headers = ['-H', 'X-CF-Key: cf_mine', '-H', 'Content-Type: application/json']
  assert.deepEqual(read, ['-X', 'POST', 'https://flow.example/x', ...headers, '--data-raw', body])
  const member = buildRequest('get', '/', { security: [{ portalToken: [] }] }, schemes, typed())
  assert.match(curlOf(member, ''), /-H "Authorization: Bearer \$TOKEN"$/)
})
