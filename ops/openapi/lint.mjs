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
  // They lead to where the bytes are, or to a provider and back: 302 and 303 are their answers.
  if (ruleId === 'operation-2xx-response' && /\{id\}~1(raw|start|callback)\/get\//.test(at ?? '')) continue
  process.stdout.write(`${ruleId}: ${message} ${at}\n`)
}
