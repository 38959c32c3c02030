/** The content library on a bucket: what leaves the server is signed, and browsers speak to the bucket themselves. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { openBucket, S3 } from '../../../test/harness/bucket.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { makePicture, sendBytes, startUpload, uploadFile } from '../../../test/builders/files.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { presign } from './presign.ts'

const time = { now: () => Date.now() }
const bucket = await openBucket(() => time.now())
after(() => bucket.close())
const { url, ctx, workspace, advance } = await startApp({
  CF_S3_BUCKET: S3.bucket,
  CF_S3_ENDPOINT: bucket.endpoint,
  CF_S3_REGION: S3.region,
  CF_S3_ACCESS_KEY: S3.accessKey,
  CF_S3_SECRET_KEY: S3.secretKey,
})
time.now = () => ctx.clock.ms()

const raw = (id: string, query = '') => fetch(`${url}/api/v1/content/${id}/raw${query}`, { redirect: 'manual' })
const locationOf = async (id: string, query = '') => {
  const answer = await raw(id, query)
  assert.equal(answer.status, 302, await answer.text())
  return answer.headers.get('location') ?? ''
}

test('M-CONT-01 the signature is the one of the published example', () => {
  const address = presign(
    {
      bucket: 'examplebucket',
      endpoint: 'https://s3.amazonaws.com',
      region: 'us-east-1',
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    { method: 'GET', key: 'test.txt', seconds: 86_400, query: {}, headers: {}, now: new Date('2013-05-24T00:00:00Z') },
  )
  assert.match(address, /^https:\/\/s3\.amazonaws\.com\/examplebucket\/test\.txt\?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA/)
  assert.match(address, /X-Amz-Signature=[0-9a-f]{64}$/)
})

test('M-CONT-01 M-CONT-04 M-CONT-06 a browser sends to the bucket and reads from it; what was checked is what is kept', async () => {
  const ws = await workspace()
  const body = await makePicture(640, 400)
  const ticket = await startUpload(ws.admin, 'صورة (1).png', 'image/png')
  assert.ok(ticket.uploadUrl.startsWith(`${bucket.endpoint}/${S3.bucket}/`))
  assert.equal((await fetch(ticket.uploadUrl, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/html' } })).status, 403)
  assert.equal((await sendBytes(ticket, body)).status, 200)
  const asset = expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 200).data
  assert.deepEqual([asset.size, asset.width], [body.length, 640])
  assert.equal([...bucket.objects.keys()].filter((key) => key.endsWith('/incoming')).length, 0)
  // The address to upload to is still good at the bucket: whatever is sent there now is not the file.
  assert.equal((await sendBytes(ticket, 'another')).status, 200)
  const answer = await fetch(await locationOf(asset.contentId))
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), body)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.match(answer.headers.get('content-disposition') ?? '', /^inline; filename\*=UTF-8''%D8%B5/)
  const smaller = await fetch(await locationOf(asset.contentId, '?w=320'))
  assert.equal(smaller.headers.get('content-type'), 'image/webp')
  const asked = bucket.asked.length
  await locationOf(asset.contentId, '?w=320')
  assert.equal(bucket.asked.length, asked, 'what is known to be there is not asked for again')
  expectStatus(await ws.admin.delete(`/content/${asset.contentId}`), 200)
  assert.deepEqual([...bucket.objects.keys()], [])
})

test('M-CONT-02 M-CONT-03 the address ends after five minutes, and what is larger than 100 MB or a lie is not kept', async () => {
  const ws = await workspace()
  const big = await startUpload(ws.admin, 'a.bin', 'application/octet-stream')
  assert.equal((await sendBytes(big, Buffer.alloc(LIMITS.mediaBytes + 1))).status, 200, 'a bucket cannot say how much it takes')
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: big.contentId }), 413)
  const lie = await startUpload(ws.admin, 'a.png', 'image/png')
  await sendBytes(lie, '<script>')
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: lie.contentId }), 400)
  assert.deepEqual([...bucket.objects.keys()], [])
  const late = await startUpload(ws.admin, 'a.txt', 'text/plain')
  await advance(LIMITS.uploadSeconds + 1)
  assert.equal((await sendBytes(late, 'x')).status, 403)
})

test('M-CONT-08 M-CONT-09 a bucket that is away is 503 with Retry-After 30, an object that is missing is 404', async () => {
  const ws = await workspace()
  const { contentId } = await uploadFile(ws.admin, 'x', 'a.txt', 'text/plain')
  bucket.isBroken = true
  const away = await raw(contentId)
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '30'])
  bucket.isBroken = false
  bucket.objects.clear()
  assert.equal((await raw(contentId)).status, 404)
})

test('the dashboard may send files to the bucket, and nowhere else', async () => {
  const policy = (await fetch(url)).headers.get('content-security-policy') ?? ''
  assert.match(policy, new RegExp(`connect-src 'self' ${bucket.endpoint};`))
})
