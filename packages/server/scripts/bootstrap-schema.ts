/** Writes ops/bootstrap.schema.json, the JSON schema of the bootstrap file, from what reads it. `--check` writes nothing and fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { BootstrapSchema } from '../src/modules/bootstrap/present-bootstrap.ts'

const FILE = new URL('../../../ops/bootstrap.schema.json', import.meta.url)
const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...BootstrapSchema }
const text = `${JSON.stringify(schema, null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (!isDeepStrictEqual(JSON.parse(readFileSync(FILE, 'utf8')), JSON.parse(text)))
  throw new Error('ops/bootstrap.schema.json is not what reads the file; run npm run docs:bootstrap')
