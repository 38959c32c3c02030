/** What the files of a workspace may take of the disk. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { sendBytes, startUpload, uploadFile } from '../../../test/builders/files.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { operator, workspace, advance } = await startApp()

const TYPE = 'application/octet-stream'
const granting = async (ws: Workspace, mediaMegabytes: number | null) =>
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { mediaMegabytes }), 200).data
const usage = async (ws: Workspace) => expectStatus(await (await ws.viewer()).get('/settings/usage'), 200).data.files
const finish = (ws: Workspace, contentId: string) => ws.admin.post('/content/finalize-upload', { contentId })
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code]

test('a library holds so many bytes and no more, members see how many, and the operator grants others', async () => {
  const ws = await workspace()
  assert.deepEqual(await usage(ws), { held: 0, most: 5_000_000_000 })
  assert.equal((await granting(ws, 1)).mediaMegabytes, 1)
  const first = await uploadFile(ws.admin, Buffer.alloc(600_000), 'a.bin', TYPE)
  assert.deepEqual(await usage(ws), { held: 600_000, most: 1_000_000 })
  const ticket = await startUpload(ws.admin, 'b.bin', TYPE)
  assert.deepEqual(await codeOf(await sendBytes(ticket, Buffer.alloc(400_001))), [409, 'LIBRARY_FULL'])
  assert.equal((await finish(ws, ticket.contentId)).status, 409, 'nothing was kept of it')
  assert.equal((await sendBytes(ticket, Buffer.alloc(400_000))).status, 200, 'what fits is taken')
  expectStatus(await finish(ws, ticket.contentId), 200)
  const refused = await ws.admin.post('/content/generate-upload-url', { fileName: 'c.bin', mimeType: TYPE })
  assert.deepEqual([refused.status, refused.body.code], [409, 'LIBRARY_FULL'])
  await granting(ws, 2)
  await uploadFile(ws.admin, Buffer.alloc(600_000), 'c.bin', TYPE)
  await granting(ws, null)
  expectStatus(await ws.admin.delete(`/content/${first.contentId}`), 200)
  assert.deepEqual(await usage(ws), { held: 1_000_000, most: 5_000_000_000 })
})

test('what was sent and not finished counts until it is given up; sent again it counts once', async () => {
  const ws = await workspace()
  await granting(ws, 1)
  const waiting = await startUpload(ws.admin, 'a.bin', TYPE)
  for (let times = 0; times < 3; times++) assert.equal((await sendBytes(waiting, Buffer.alloc(900_000))).status, 200)
  assert.equal((await usage(ws)).held, 900_000)
  const other = await startUpload(ws.admin, 'b.bin', TYPE)
  assert.deepEqual(await codeOf(await sendBytes(other, Buffer.alloc(200_000))), [409, 'LIBRARY_FULL'])
  await advance(2 * 3_600)
  await uploadFile(ws.admin, Buffer.alloc(200_000), 'c.bin', TYPE)
})

test('of files that are sent at once no more are taken than there is room for', async () => {
  const ws = await workspace()
  await granting(ws, 1)
  const tickets = await Promise.all(Array.from({ length: 6 }, () => startUpload(ws.admin, 'a.bin', TYPE)))
  const sent = await Promise.all(tickets.map((ticket) => sendBytes(ticket, Buffer.alloc(300_000))))
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 200, 200, 409, 409, 409])
  assert.equal((await usage(ws)).held, 900_000)
})
