/** The OpenAPI document as tools read it: named, exampled, without findings of a linter, and good enough to make a client of. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { JOURNEY_STEP, PING, WEBHOOK_EVENTS } from '@contentflow/core/webhooks/events.ts'
import { ERRORS } from '../../src/errors.ts'
import { childrenOf, isNameable, keyOf, type JsonSchema } from '../../src/http/openapi/schemas.ts'
import { uniqueEmail } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'

const { app, url } = await startApp()
const document = JSON.parse(JSON.stringify(app.http.swagger())) as Document
type Media = { schema?: JsonSchema; example?: unknown }
type Parameter = { name: string; in: string; description?: string; schema?: JsonSchema }
type Operation = {
  operationId: string
  description?: string
  parameters?: Parameter[]
  tags: string[]
  summary: string
  security: object[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media>; 'x-codes'?: string[] }>
}
type Document = {
  servers: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: object }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method.toUpperCase()} ${path}`, method, path, operation })),
)
const mediaOf = ({ requestBody, responses }: Operation) => [
  ...Object.values(requestBody?.content ?? {}),
  ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
]
const findings = (wrong: (each: (typeof operations)[number]) => unknown) =>
  operations.filter((each) => wrong(each)).map(({ at, operation }) => `${at} ${operation.operationId}`)

test('every operation has a verb for its name, a tag with words, what opens it, its refusals and an example', () => {
  const verbs = /^[a-z]+([A-Z][A-Za-z]*)?$/
  const ids = operations.map(({ operation }) => operation.operationId)
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index || !verbs.test(id)),
    [],
  )
  const tags = new Set(document.tags.filter(({ name, description }) => description !== name).map(({ name }) => name))
  assert.deepEqual(
    findings(({ operation }) => !operation.tags.every((tag) => tags.has(tag))),
    [],
  )
  assert.deepEqual(
    findings(({ operation }) => !operation.summary || !Array.isArray(operation.security)),
    [],
  )
  assert.deepEqual(
    findings(({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith('4'))),
    [],
  )
  assert.deepEqual(
    findings(({ operation }) => mediaOf(operation).some(({ schema, example }) => !schema?.anyOf && example === undefined)),
    [],
  )
  const codes = new Set(
    operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap((answer) => answer['x-codes'] ?? [])),
  )
  assert.deepEqual(
    Object.keys(ERRORS).filter((code) => !codes.has(code)),
    [],
    'every code stands at the routes that say it',
  )
  assert.deepEqual(
    [...codes].filter((code) => !(code in ERRORS)),
    [],
  )
})

test('every operation says more than its summary, and every parameter what it means', () => {
  assert.deepEqual(
    findings(({ operation }) => !operation.description || operation.description === operation.summary),
    [],
  )
  const silent = ({ description, schema }: Parameter) => !(description ?? schema?.description)
  assert.deepEqual(
    operations.flatMap(({ at, operation: { parameters = [] } }) =>
      parameters.filter(silent).map((each) => `${at} ${each.in} ${each.name}`),
    ),
    [],
  )
})

test('what each event of a webhook sends is described, with an example that fits', () => {
  assert.deepEqual(Object.keys(document.webhooks), [...WEBHOOK_EVENTS, JOURNEY_STEP, PING])
  for (const [event, { post }] of Object.entries(document.webhooks)) {
    const example = post.requestBody?.content['application/json']?.example as { event: string }
    assert.equal(example.event, event)
    assert.ok(post.description && post.description !== post.summary, event)
  }
})

test('no schema stands twice: what is the same has one name', () => {
  const seen = new Map<string, string>()
  const twice: string[] = []
  const look = (schema: JsonSchema, at: string) => {
    if (isNameable(schema)) {
      const before = seen.get(keyOf(schema))
      if (before !== undefined) twice.push(`${before} and ${at}`)
      seen.set(keyOf(schema), at)
    }
    for (const [member, child] of childrenOf(schema)) look(child, `${at}.${member}`)
  }
  for (const { at, operation } of operations) for (const { schema } of mediaOf(operation)) if (schema) look(schema, at)
  for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name)
  assert.deepEqual(twice, [])
  const names = Object.keys(document.components.schemas)
  assert.ok(names.length > 200)
  assert.deepEqual(
    names.filter((name) => !/^[A-Z][A-Za-z]*$/.test(name)),
    [],
  )
})

test('every example fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const sent = Object.entries(document.webhooks).map(([event, { post }]) => ({ at: event, operation: post }))
  const wrong = [...operations, ...sent].flatMap(({ at, operation }) =>
    mediaOf(operation).flatMap(({ schema, example }) => {
      if (!schema || example === undefined) return []
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
      const fits = ajv.compile(JSON.parse(text) as object)
      return fits(example) ? [] : [`${at}: ${ajv.errorsText(fits.errors)}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

const TOOLS = fileURLToPath(new URL('../../../../ops/openapi/', import.meta.url))
/** Not in this process, which has to answer meanwhile. Fails with what it printed. */
async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const ran = promisify(execFile)(command, args, { cwd: TOOLS, env: { ...process.env, ...env } })
  const { stdout } = await ran.catch((error: Error & { stdout: string }) => assert.fail(`${error.message}\n${error.stdout}`))
  return stdout
}

/** In a folder of their own, because the generator needs TypeScript 5; .ci/run installs them. */
async function openTools(): Promise<string> {
  if (!existsSync(`${TOOLS}node_modules/@hey-api/openapi-ts`)) await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  const folder = mkdtempSync(`${TOOLS}made-`)
  after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(`${folder}/openapi.json`, JSON.stringify(document))
  return folder
}

test('a linter has nothing to say, and a client that is generated from the document compiles and drives ten routes', async () => {
  const folder = await openTools()
  assert.equal(await run('node', ['lint.mjs', `${folder}/openapi.json`]), '')
  await run('node', ['node_modules/openapi-typescript/bin/cli.js', `${folder}/openapi.json`, '-o', `${folder}/api.d.ts`])
  copyFileSync(`${TOOLS}drive.ts`, `${folder}/drive.ts`)
  const options = [
    '--strict',
    '--target',
    'esnext',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--rewriteRelativeImportExtensions',
  ]
  const typeRoots = fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url))
  const compiler = ['node_modules/typescript/bin/tsc', ...options, '--typeRoots', typeRoots, '--types', 'node', '--skipLibCheck']
  await run('node', [...compiler, `${folder}/drive.ts`])
  const said = JSON.parse(await run('node', [`${folder}/drive.js`], { BASE_URL: url, EMAIL: uniqueEmail() }))
  assert.deepEqual(said, { published: 200, listed: 1, segment: 'Gold', identified: 200, synced: ['Hello'], missing: [404, false] })
})

test('another generator makes a whole client of it, with a function for each operation and a type for each webhook', async () => {
  const folder = await openTools()
  const made = `${folder}/client`
  await run('node', [
    'node_modules/@hey-api/openapi-ts/bin/run.js',
    '-i',
    `${folder}/openapi.json`,
    '-o',
    made,
    '-c',
    '@hey-api/client-fetch',
    '--silent',
  ])
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'esnext',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'esnext,dom,dom.iterable',
  ]
  await run('node', ['node_modules/typescript/bin/tsc', ...options, '--typeRoots', `${folder}/none`, `${made}/index.ts`])
  const [functions, types] = [readFileSync(`${made}/sdk.gen.ts`, 'utf8'), readFileSync(`${made}/types.gen.ts`, 'utf8')]
  assert.deepEqual(
    operations.filter(({ operation }) => !functions.includes(`export const ${operation.operationId} =`)).map(({ at }) => at),
    [],
  )
  for (const { post } of Object.values(document.webhooks)) assert.match(types, new RegExp(`${post.operationId}\\w*Request = `, 'i'))
})
