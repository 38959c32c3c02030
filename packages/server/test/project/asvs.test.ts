/** docs/asvs.md and SECURITY.md name tests: each is there, and each requirement of levels 1 and 2 is judged once. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const isThere = (path: string) => existsSync(new URL(path, ROOT))

/** How many requirements of levels 1 and 2 each section of version 5.0.0 has: they are the first ones of it. */
const SECTIONS = `
  V1.1:2 V1.2:9 V1.3:11 V1.4:3 V1.5:2 V2.1:3 V2.2:3 V2.3:4 V2.4:1 V3.2:2 V3.3:4 V3.4:6
  V3.5:5 V3.7:2 V4.1:3 V4.2:1 V4.3:2 V4.4:4 V5.1:1 V5.2:3 V5.3:2 V5.4:3 V6.1:3 V6.2:12
  V6.3:4 V6.4:4 V6.5:5 V6.6:3 V6.8:4 V7.1:3 V7.2:4 V7.3:2 V7.4:5 V7.5:2 V7.6:2 V8.1:2
  V8.2:3 V8.3:1 V8.4:1 V9.1:3 V9.2:4 V10.1:2 V10.2:2 V10.3:4 V10.4:11 V10.5:5 V10.6:2 V10.7:3
  V11.1:2 V11.2:3 V11.3:3 V11.4:4 V11.5:1 V11.6:1 V12.1:3 V12.2:2 V12.3:4 V13.1:1 V13.2:5 V13.3:2
  V13.4:5 V14.1:2 V14.2:4 V14.3:3 V15.1:3 V15.2:3 V15.3:7 V16.1:1 V16.2:5 V16.3:4 V16.4:3 V16.5:3
  V17.1:1 V17.2:4 V17.3:2`
const REQUIREMENTS = SECTIONS.trim()
  .split(/\s+/)
  .flatMap((text) => {
    const [section = '', count] = text.split(':')
    return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`)
  })
const JUDGED = /^\| (V\d+\.\d+\.\d+) [^|]+ \| (yes|set|run|part|no) +\| ([^|]+) \|$/
const LEFT_OUT = /^\| (V\d+\.\d+\.\d+(?:, V\d+\.\d+\.\d+)*) +\| [^|]+ \|$/

test('each requirement of levels 1 and 2 is judged once, or does not apply', () => {
  const lines = read('docs/asvs.md').split('\n')
  const judged = lines.flatMap((line) => JUDGED.exec(line)?.[1] ?? [])
  const leftOut = lines.flatMap((line) => LEFT_OUT.exec(line)?.[1]?.split(', ') ?? [])
  assert.deepEqual([...judged, ...leftOut].sort(), REQUIREMENTS.toSorted())
  assert.equal(lines.filter((line) => line.startsWith('| V')).length, judged.length + lines.filter((line) => LEFT_OUT.test(line)).length)
})

test('every file that proves a requirement is there', () => {
  const page = read('docs/asvs.md')
  const named = [...page.matchAll(/`((?:core|server|sdk|cli|dashboard)\/[\w./-]+)`/g)].map(([, path = '']) => path)
  assert.ok(named.length > 150)
  assert.deepEqual(
    named.filter((path) => !isThere(`packages/${path}`)),
    [],
  )
})

test('every test that SECURITY.md names is there', () => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('`'))
  // Short for the folder of the server's sources or tests.
  const isKnown = (path: string) => ['packages/', 'packages/server/', 'packages/server/src/'].some((before) => isThere(`${before}${path}`))
  const named = rows.flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`([\w/-]+\/[\w./-]+)`/g)].map(([, path = '']) => path))
  assert.ok(named.length > 40)
  assert.deepEqual(
    named.filter((path) => !isKnown(path)),
    [],
  )
})
