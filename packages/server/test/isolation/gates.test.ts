/** Every route that writes is known to pass a gate, or to change nothing of what people get (G-92). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ROUTES_WITHOUT_GATE } from './routes-without-gate.ts'
import { startApp } from '../harness/start-app.ts'

const { app } = await startApp()
type Operations = Record<string, { security: object[] }>
const { paths } = JSON.parse(JSON.stringify(app.http.swagger())) as { paths: Record<string, Operations> }

const writing = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method, operation]) => method !== 'get' && !operation.security.some((way) => 'appKey' in way))
    .map(([method]) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1(?!\/sdk)/, '')}`)
    // The older root serves the same.
    .filter((route) => !route.includes(' /api/v1/sdk/')),
)

const architecture = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8')
const [, section = ''] = architecture.split('## What changes what people get')
const gated = section
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, route]) => route!))

test('G-92 every route that writes stands in the table of gates of ARCHITECTURE.md, or among those without one, once', () => {
  const listed = [...gated, ...Object.values(ROUTES_WITHOUT_GATE).flat()]
  const known = new Set(listed)
  assert.deepEqual(
    writing.filter((route) => !known.has(route)),
    [],
    'say in ARCHITECTURE.md which gate it passes, or in routes-without-gate.ts why it needs none',
  )
  const there = new Set(writing)
  assert.deepEqual(
    listed.filter((route, index) => !there.has(route) || listed.indexOf(route) !== index),
    [],
    'there is no such route any more, or it stands twice',
  )
  assert.ok(gated.length > 50 && writing.length > 140)
})
