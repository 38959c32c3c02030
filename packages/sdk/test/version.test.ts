/** One version everywhere: whoever reports a fault names one number. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../../server/test/harness/start-app.ts'
import { VERSION } from '../src/index.ts'
import { VERSION as VERSION_OF_NODE } from '../src/node/version.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { url } = await startApp()

test('every package, what they need of each other, the SDK, the command line, the OpenAPI document and the pages say one version', async () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  for (const path of globSync('{packages,examples}/*/package.json', { cwd: ROOT })) {
    const { version: own, dependencies = {}, devDependencies = {} } = JSON.parse(read(path))
    assert.equal(own, version, path)
    for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies }))
      if (name.startsWith('@contentflow/')) assert.equal(wanted, version, `${path}: ${name}`)
  }
  assert.deepEqual([VERSION, VERSION_OF_NODE], [version, version])
  assert.equal(
    spawnSync(process.execPath, [join(ROOT, 'packages/cli/dist/contentflow.js'), '--version'], { encoding: 'utf8' }).stdout,
    `${version}\n`,
  )
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as { info: { version: string } }
  assert.equal(document.info.version, version)
  for (const path of ['README.md', 'packages/cli/README.md', ...globSync('docs/{,*/}*.md', { cwd: ROOT })])
    for (const [name, said] of read(path).matchAll(/contentflow(?:-sdk)?-(\d+\.\d+\.\d+)\.tgz/g))
      assert.equal(said, version, `${path}: ${name}`)
  assert.match(read('CHANGELOG.md'), new RegExp(`^## ${version.replaceAll('.', '\\.')}`, 'm'))
})
