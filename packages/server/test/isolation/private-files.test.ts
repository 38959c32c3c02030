/** Nobody else on the machine reads what a server stores, whatever its folders were and whatever it was started with. */
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectStatus, makeBuilders } from '../builders/builders.ts'
import { makePicture, uploadFile } from '../builders/files.ts'
import { spawnServer, started } from '../harness/server-process.ts'
import { OPERATOR_TOKEN } from '../harness/start-app.ts'

/**
 * What others than its user may enter or read, the folder itself included. The engine of the database gives some of its files rights
 * of its own; they lie in a folder that nobody else enters.
 */
function openToOthers(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  return [folder, ...all].filter((path) => {
    const found = lstatSync(path)
    return !(found.isFile() && path.includes('/pg/')) && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })
}

function openFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o777)
  return path
}

test('folders that existed before, open to everybody, and a start without a mask: all of it is for its user alone', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'cf-private-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const data = openFolder(join(root, 'data'))
  const media = openFolder(join(root, 'files'))
  for (const path of [join(openFolder(join(media, 'ab')), 'old.png'), join(data, 'secret.key')]) {
    writeFileSync(path, `${Buffer.alloc(32).toString('base64')}\n`)
    chmodSync(path, 0o666)
  }
  const env = { CF_DATA_DIR: data, CF_MEDIA_DIR: media, CF_WEBHOOK_ALLOW_PRIVATE: 'on' }
  const live = async (use: (url: string) => Promise<void>) => {
    const server = spawnServer(env, 'umask 000')
    try {
      await use(await started(server))
    } finally {
      server.kill('SIGTERM')
      await server.exit
    }
  }
  await live(async (url) => {
    const ws = await makeBuilders(url, OPERATOR_TOKEN).workspace()
    const { contentId } = await uploadFile(ws.admin, await makePicture(400, 300), 'a.png', 'image/png')
    expectStatus(await ws.admin.post('/webhooks', { url: 'http://127.0.0.1:8443/hook', events: ['campaign.approved'] }), 201)
    assert.equal((await fetch(`${url}/api/v1/content/${contentId}/raw?w=160`)).status, 200, 'a smaller one is made')
    assert.deepEqual([openToOthers(data), openToOthers(media)], [[], []])
  })
  // As a restored backup, or a version before this one, leaves it.
  for (const path of [join(data, 'pg', 'base'), join(data, 'pg'), data]) chmodSync(path, 0o755)
  await live(async () => assert.deepEqual(openToOthers(data), []))
})
