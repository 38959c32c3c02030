/** Files of people, as a member gets them and another program reads them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workspace } from './builders.ts'

/** `files`: the texts by name. */
type PersonFile = { id: string; sha256: string; files: Record<string, string> }

export async function takeFile(url: string, { token, id }: Workspace, userId: string, query = ''): Promise<PersonFile> {
  const response = await fetch(`${url}/api/v1/users/${encodeURIComponent(userId)}/export${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-tenant-id': id },
  })
  assert.equal(response.status, 200, `POST export: ${response.status}`)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  const [, exportId = ''] = /filename="person-([\w-]+)\.zip"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const bytes = Buffer.from(await response.arrayBuffer())
  return { id: exportId, sha256: hash('sha256', bytes, 'hex'), files: unzip(bytes) }
}

/** By `unzip`, which checks every sum. */
function unzip(bytes: Buffer): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-person-'))
  try {
    writeFileSync(join(folder, 'file.zip'), bytes)
    const { status, stdout, stderr } = spawnSync('unzip', ['-q', 'file.zip', '-d', 'files'], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, `${stdout}${stderr}`)
    const names = readdirSync(join(folder, 'files'))
    return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'files', name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
