/** What Okta and Entra send, in the order in which they send it, and what they have to be answered. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Client } from '../../../test/builders/builders.ts'
import { scimOf, tokenFor } from '../../../test/builders/sign-in/provisioned-workspace.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { url, workspace } = await startApp()

/** `answer`: members that it has to have. `without`: those that it must not have. `members`: ids of the people in a group. */
type Exchange = {
  what: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  status: number
  /** Under this name the id of the answer stands in what follows. */
  keep?: string
  answer?: Record<string, unknown>
  without?: string[]
  members?: string[]
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../core/src/scim/fixtures/${name}.json`, import.meta.url), 'utf8')) as Exchange[]

async function exchange(scim: Client, sent: Exchange) {
  const { method, path, body } = sent
  if (method === 'GET') return scim.get(path)
  if (method === 'DELETE') return scim.delete(path)
  return scim[method === 'POST' ? 'post' : method === 'PUT' ? 'put' : 'patch'](path, body)
}

for (const name of ['okta', 'entra', 'entra-scim-flag'])
  test(`the requests of ${name} are answered as it expects`, async () => {
    const scim = scimOf(url, await tokenFor(await workspace()))
    const known = new Map([['domain', 'acme.example']])
    const filled = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => known.get(key) ?? assert.fail(key))) as T
    for (const each of read(name)) {
      const sent = filled(each)
      const { status, text, body, headers } = await exchange(scim, sent)
      assert.equal(status, sent.status, `${sent.what}: ${text}`)
      if (status === 204) continue
      assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/, sent.what)
      for (const [member, value] of Object.entries(sent.answer ?? {})) assert.deepEqual(body[member], value, `${sent.what}: ${member}`)
      for (const member of sent.without ?? []) assert.equal(member in body, false, `${sent.what}: ${member}`)
      if (sent.members)
        assert.deepEqual(
          body.members.map(({ value }: { value: string }) => value),
          sent.members,
          sent.what,
        )
      if (sent.keep !== undefined) known.set(sent.keep, body.id)
    }
  })
