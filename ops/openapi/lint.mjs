/** Says what the recommended rules of Redocly find in a document; nothing when they find nothing. */
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // /strings/imports and /strings/{key}: the addresses are documented, and the server takes the one that is spelled out.
    'no-ambiguous-paths': 'off',
  },
})
const problems = await lintFromString({ source: readFileSync(process.argv[2] ?? '', 'utf8'), config, absoluteRef: '/openapi.json' })
for (const { ruleId, message, location } of problems) {
  const at = location[0]?.pointer
  // It leads to where the bytes are: 302 is its answer.
  if (ruleId === 'operation-2xx-response' && at?.includes('{id}~1raw/get/')) continue
  process.stdout.write(`${ruleId}: ${message} ${at}\n`)
}
