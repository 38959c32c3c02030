/** The schemas of the files that people write: served to everybody, and held to what the server takes and refuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { SCHEMA_NAMES, type SchemaName } from '@contentflow/core/schemas/schemas.ts'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'
import { DOCUMENT, EVENTS, MANIFEST, MISTAKES, TEXTS } from './schema-samples.ts'

const { workspace, url } = await startApp()
const ajv = new Ajv({ allErrors: false, strict: false })

async function schemaOf(name: SchemaName): Promise<ValidateFunction> {
  return ajv.compile((await (await fetch(`${url}/schemas/${name}.json`)).json()) as object)
}

type Subject = { sample: object; take(ws: Workspace, file: object): Promise<{ isTaken: boolean; says: string }> }
const said = ({ status, text }: { status: number; text: string }) => ({ isTaken: status === 200, says: text })

/** How the server is asked about each file. Nothing is applied of a document. */
const SUBJECTS: Record<Exclude<SchemaName, 'project'>, Subject> = {
  manifest: {
    sample: MANIFEST,
    take: async (ws, file) => {
      const answer = await ws.write.post('/cards/sync', file)
      return { isTaken: answer.status === 200 && answer.data.errors.length === 0, says: answer.text }
    },
  },
  texts: { sample: TEXTS, take: async (ws, file) => said(await ws.write.post('/strings/sync', file)) },
  events: { sample: EVENTS, take: async (ws, file) => said(await ws.write.put('/event-types', { ...file, dryRun: true })) },
  document: { sample: DOCUMENT, take: async (ws, document) => said(await ws.admin.post('/workspace/code/plan', { document })) },
}

/** The sample with another value in each place, one at a time. */
function* mutants(sample: object): Generator<{ at: string; file: object }> {
  for (const path of pathsOf(sample))
    for (const value of [null, 7.5, -1, '', 'other', true, [], {}, 'x'.repeat(30_000)]) {
      const file = structuredClone(sample)
      const parent = path.slice(0, -1).reduce<any>((at, name) => at[name], file)
      parent[path.at(-1) ?? ''] = value
      yield { at: `${path.join('.')} = ${JSON.stringify(value).slice(0, 20)}`, file }
    }
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...pathsOf(inner, [...path, name])])
}

for (const [name, { sample, take }] of Object.entries(SUBJECTS) as [keyof typeof SUBJECTS, Subject][]) {
  test(`the schema of a ${name} file refuses nothing that the server takes`, async () => {
    const isRight = await schemaOf(name)
    let ws = await workspace()
    assert.ok(isRight(sample), JSON.stringify(isRight.errors))
    const first = await take(ws, sample)
    assert.ok(first.isTaken, first.says)
    let refused = 0
    for (const { at, file } of mutants(sample)) {
      if (isRight(file)) continue
      const why = ajv.errorsText(isRight.errors)
      // A workspace may send so much in a minute.
      if (++refused % 300 === 0) ws = await workspace()
      assert.equal((await take(ws, file)).isTaken, false, `the schema refuses ${at} (${why}), and the server takes it`)
    }
    assert.ok(refused > 30, `${refused} were refused`)
  })

  test(`the schema of a ${name} file names the usual mistakes, and so does the server`, async () => {
    const isRight = await schemaOf(name)
    const ws = await workspace()
    for (const file of MISTAKES[name]) {
      assert.equal(isRight(file), false, `the schema takes ${JSON.stringify(file)}`)
      assert.equal((await take(ws, file)).isTaken, false, `the server takes ${JSON.stringify(file)}`)
    }
  })
}

test('what the server gives out is right by the schemas', async () => {
  const ws = await workspace()
  expectStatus(await ws.write.post('/cards/sync', MANIFEST), 200)
  expectStatus(await ws.write.post('/strings/sync', TEXTS), 200)
  expectStatus(await ws.write.put('/event-types', EVENTS), 200)
  for (const [name, file] of [
    ['manifest', expectStatus(await ws.write.get('/cards/sync'), 200).data],
    ['texts', expectStatus(await ws.write.get('/strings/sync'), 200).data],
    ['document', expectStatus(await ws.admin.get('/workspace/code'), 200).data],
  ] as const) {
    const isRight = await schemaOf(name)
    assert.ok(isRight(file), `${name}: ${ajv.errorsText(isRight.errors)}`)
  }
})

test('schemas are for everybody, and may be kept for an hour', async () => {
  for (const name of SCHEMA_NAMES) {
    const answer = await fetch(`${url}/schemas/${name}.json`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const { $schema, title } = (await answer.json()) as { $schema: string; title: string }
    assert.equal($schema, 'http://json-schema.org/draft-07/schema#')
    assert.match(title, /^ContentFlow /)
    const etag = answer.headers.get('etag') ?? ''
    assert.equal((await fetch(`${url}/schemas/${name}.json`, { headers: { 'if-none-match': etag } })).status, 304)
  }
  assert.equal((await fetch(`${url}/schemas/none.json`)).status, 404)
})
