/** Code to paste, by what a key is for. */
import type { KeyKind } from '../api.ts'

export type Sample = { language: 'sdk' | 'curl'; code: string }

/** `origin` is where this server is reached. An application carries publishable keys only, so only they get SDK code (C-AUTH-44). */
export function samplesOf(kind: KeyKind, key: string, origin: string): Sample[] {
  const root = `${origin}/sdk/v1`
  if (kind === 'publishable') return [sdk(key, root), curl(`curl -H 'X-CF-Key: ${key}' \\\n  ${root}/sync`)]
  if (kind === 'secret') return [curl(`curl -H 'X-CF-Key: ${key}' \\\n  ${root}/sync`)]
  if (kind === 'read') return [curl(`curl -H 'X-CF-Read-Key: ${key}' \\\n  ${origin}/api/v1/read/users/USER_ID/segments`)]
  return [
    curl(`curl -X POST ${root}/cards/register \\
  -H 'X-CF-Write-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"key":"promo","name":"Promo","fields":[{"id":"f_title","tag":"#title","type":"text"}]}'`),
  ]
}

const curl = (code: string): Sample => ({ language: 'curl', code })

function sdk(key: string, root: string): Sample {
  return {
    language: 'sdk',
    code: `import { createClient } from '@contentflow/sdk'

const client = createClient({
  baseUrl: '${root}',
  key: '${key}',
})
client.subscribe(() => console.log(client.blocks()))
client.start()`,
  }
}
