/** Schemas as the command line has them: printed, packed, and for the file that only it reads. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { startApp } from '../../server/test/harness/start-app.ts'
import { expectExit, openFolder } from './cli.ts'

const { url } = await startApp()

test('a schema is printed, packed and served as one and the same file', async () => {
  const folder = openFolder()
  const names = expectExit(await folder.run(['schema']), 0)
    .out.trim()
    .split('\n')
  assert.deepEqual(names, ['project', 'manifest', 'texts', 'events', 'document'])
  assert.deepEqual(JSON.parse(expectExit(await folder.run(['schema', '--json']), 0).out), names)
  for (const name of names) {
    const { out } = expectExit(await folder.run(['schema', name]), 0)
    assert.equal(out, readFileSync(new URL(`../dist/schemas/${name}.json`, import.meta.url), 'utf8'), name)
    assert.equal(out, await (await fetch(`${url}/schemas/${name}.json`)).text(), name)
  }
  assert.match(expectExit(await folder.run(['schema', 'none']), 1).err, /There are schemas of project, manifest/)
})

const PROJECT = {
  $schema: 'project.json',
  server: 'http://127.0.0.1:9',
  workspace: 'w',
  manifest: 'm.json',
  texts: ['t.json'],
  events: 'e.json',
  document: 'd.json',
  types: [{ lang: 'kotlin', out: 'Content.kt', package: 'com.example' }],
}

test('the schema of a project file takes exactly what the command line takes', async () => {
  const folder = openFolder()
  const isRight = new Ajv({ strict: false }).compile(JSON.parse(expectExit(await folder.run(['schema', 'project']), 0).out))
  /** A command that reads the project file, and asks no server. */
  const takes = async (project: object) => {
    folder.write('contentflow.json', project)
    const { err } = await folder.run(['identity', 'sign', '--user', 'u', '--secret', 's'.repeat(32)])
    return !err.startsWith('contentflow.json: ')
  }
  const [types] = PROJECT.types
  const changed: object[] = [
    {},
    { server: PROJECT.server, other: 1 },
    { texts: 't.json', types },
    ...Object.keys(PROJECT).flatMap((name) => [null, 5, '', [], {}, ['a', 5]].map((value) => ({ ...PROJECT, [name]: value }))),
    ...['lang', 'out', 'package', 'other'].flatMap((name) => [null, 'x', ''].map((value) => ({ types: [{ ...types, [name]: value }] }))),
  ]
  for (const project of [PROJECT, ...changed]) assert.equal(isRight(project), await takes(project), JSON.stringify(project))
  assert.ok(isRight(PROJECT) && !isRight({ server: PROJECT.server, other: 1 }))
})
