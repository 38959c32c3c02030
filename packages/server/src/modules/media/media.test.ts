/** The content library on the folder store, through HTTP as browsers and apps use it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { makePicture, sendBytes, startUpload, uploadFile } from '../../../test/builders/files.ts'
import { send } from '../../../test/harness/raw.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'cf-media-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { url, ctx, workspace, advance, fault, operator } = await startApp({ CF_MEDIA_DIR: folder })

const raw = (id: string, query = '', headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/content/${id}/raw${query}`, { redirect: 'manual', headers })
const follow = async (id: string, query = '', headers: Record<string, string> = {}) => {
  const answer = await raw(id, query, headers)
  assert.equal(answer.status, 302, await answer.text())
  return fetch(answer.headers.get('location') ?? '', { headers })
}
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
/** A few bytes that say they are a picture of this size. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(4_000))), chunk('IEND', Buffer.alloc(0))])
}
const onDisk = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length

test('M-CONT-01 M-CONT-04 M-CONT-05 M-CONT-06 a file is uploaded without a token, taken in, listed, and read by anybody through a redirect', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const body = await makePicture(640, 400)
  const ticket = expectStatus(await editor.post('/content/generate-upload-url', { fileName: 'hero.png', mimeType: 'image/png' }), 201).data
  assert.deepEqual(Object.keys(ticket).sort(), ['contentId', 'expiresAt', 'headers', 'method', 'uploadUrl'])
  assert.equal((await raw(ticket.contentId)).status, 404, 'nothing is there before it was taken in')
  const sent = await sendBytes(ticket, body)
  assert.equal(sent.status, 200, await sent.text())
  assert.equal((await raw(ticket.contentId)).status, 404)
  const asset = expectStatus(await editor.post('/content/finalize-upload', { contentId: ticket.contentId }), 200).data
  assert.deepEqual(
    [asset.contentId, asset.mimeType, asset.size, asset.width, asset.height, asset.fileName],
    [ticket.contentId, 'image/png', body.length, 640, 400, 'hero.png'],
  )
  assert.equal(asset.url, `${url}/api/v1/content/${asset.contentId}/raw`)
  assert.match(asset.placeholder, /^data:image\/webp;base64,/)
  assert.ok(asset.placeholder.length < 600)
  const answer = await follow(asset.contentId)
  assert.equal(answer.headers.get('content-type'), 'image/png')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.match(answer.headers.get('content-disposition') ?? '', /^inline/)
  assert.deepEqual(await bytesOf(answer), body)
  const { data, metadata } = expectStatus(await (await ws.viewer()).get('/content'), 200).body
  assert.deepEqual([data.content.map((each: any) => each.contentId), metadata.total], [[asset.contentId], 1])
  assert.deepEqual(expectStatus(await editor.post('/content/finalize-upload', { contentId: asset.contentId }), 200).data, asset)
})

test('M-CONT-02 M-LIMIT-16 the address to upload to is good for five minutes, for one file, and once it is taken in no more', async () => {
  const ws = await workspace()
  const ticket = await startUpload(ws.admin, 'a.txt', 'text/plain')
  assert.equal(Date.parse(ticket.expiresAt) - ctx.clock.ms() > 290_000, true)
  assert.equal((await sendBytes(ticket, 'first')).status, 200)
  const other = await startUpload(ws.admin, 'b.txt', 'text/plain')
  const forged = ticket.uploadUrl.replace(ticket.contentId, other.contentId)
  assert.equal((await sendBytes({ ...ticket, uploadUrl: forged }, 'x')).status, 403)
  assert.equal((await sendBytes({ ...ticket, uploadUrl: ticket.uploadUrl.replace(/expires=\d+/, 'expires=99999999999') }, 'x')).status, 403)
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 200)
  assert.equal((await sendBytes(ticket, 'second')).status, 409)
  assert.equal((await bytesOf(await follow(ticket.contentId))).toString(), 'first')
  await advance(LIMITS.uploadSeconds + 1)
  const late = await sendBytes(other, 'late')
  assert.deepEqual([late.status, ((await late.json()) as { success: boolean }).success], [403, false])
})

test('M-CONT-03 M-LIMIT-16 a megabyte is taken, more than 100 MB is not, and nothing of it stays', async () => {
  const ws = await workspace()
  const asset = await uploadFile(ws.admin, Buffer.alloc(1_000_000, 7), 'a.bin', 'application/octet-stream')
  assert.equal(asset.size, 1_000_000)
  const before = onDisk()
  const ticket = await startUpload(ws.admin, 'b.bin', 'application/octet-stream')
  assert.equal((await sendBytes(ticket, Buffer.alloc(LIMITS.mediaBytes + 1))).status, 413)
  // Without saying beforehand how much it is.
  const block = new Uint8Array(1_000_000)
  let left = 101
  const stream = new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(block) : to.close()) })
  const endless = await fetch(ticket.uploadUrl, { method: 'PUT', body: stream, duplex: 'half' })
  assert.equal(endless.status, 413)
  assert.equal(onDisk(), before)
  assert.equal((await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId })).status, 409)
})

test('M-CONT-07 the address stays good after a day, and the one it leads to does not', async () => {
  const ws = await workspace()
  const { contentId } = await uploadFile(ws.admin, await makePicture(20, 20), 'a.png', 'image/png')
  const address = (await raw(contentId)).headers.get('location') ?? ''
  await advance(86_400)
  assert.equal((await fetch(address)).status, 403)
  assert.equal((await follow(contentId)).status, 200)
})

test('M-CONT-08 M-CONT-10 M-ERR-10 what is missing: 404 for files, 400 for names and types', async () => {
  const ws = await workspace()
  for (const id of ['nothing', '0199a1b2-0000-7000-8000-000000000000', '%00', '..%2f..%2fetc', 'x'.repeat(3_000)]) {
    const answer = await raw(id)
    assert.equal(answer.status, 404, id)
    assert.equal(((await answer.json()) as { code?: string }).code, undefined)
  }
  for (const body of [
    {},
    { fileName: 'a.png' },
    { mimeType: 'image/png' },
    { fileName: '', mimeType: 'image/png' },
    { fileName: 1, mimeType: [] },
  ])
    expectStatus(await ws.admin.post('/content/generate-upload-url', body), 400)
  for (const mimeType of ['text/html', 'application/javascript', 'image/x-evil', 'nonsense', '__proto__', 'constructor'])
    expectStatus(await ws.admin.post('/content/generate-upload-url', { fileName: 'a', mimeType }), 400)
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: 'nothing' }), 404)
  expectStatus(await (await ws.viewer()).post('/content/generate-upload-url', { fileName: 'a.png', mimeType: 'image/png' }), 403)
  const ticket = await startUpload(ws.admin, 'a.png', 'image/png')
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 409)
})

test('M-CONT-09 while the storage is away files answer 503 with Retry-After 30, and come back', async () => {
  const ws = await workspace()
  const { contentId } = await uploadFile(ws.admin, 'hello', 'a.txt', 'text/plain')
  const ticket = await startUpload(ws.admin, 'b.txt', 'text/plain')
  await fault('storage', true)
  try {
    for (const answer of [await raw(contentId), await sendBytes(ticket, 'x')])
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '30'])
    const refused = await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
  } finally {
    await fault('storage', false)
  }
  assert.equal((await follow(contentId)).status, 200)
})

test('M-CONT-11 an image field with the address is delivered as it was written', async () => {
  const ws = await workspace()
  const { url: address } = await uploadFile(ws.admin, await makePicture(20, 20), 'a.png', 'image/png')
  await ws.block('hero', { fields: [{ id: 'f_image', tag: '#image', type: 'image' }] })
  await ws.instance('hero', { values: { '#image': address } })
  assert.equal((await ws.blocks())[0].values['#image'], address)
})

test('M-CONT-04 bytes that are not what they are declared as are refused and not kept', async () => {
  const ws = await workspace()
  const png = await makePicture(20, 20)
  const page = '<!doctype html><script>alert(1)</script>'
  const before = onDisk()
  for (const [type, bytes] of [
    ['image/png', page],
    ['image/jpeg', png],
    ['image/svg+xml', page],
    ['text/plain', page],
    ['application/json', 'x = 1'],
    ['application/pdf', png],
    ['video/mp4', png],
    ['image/png', ''],
  ] as const) {
    const ticket = await startUpload(ws.admin, 'a', type)
    assert.equal((await sendBytes(ticket, bytes)).status, 200)
    expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 400)
    assert.equal((await raw(ticket.contentId)).status, 404)
  }
  assert.equal(onDisk(), before)
  assert.equal((await ws.admin.get('/content')).body.metadata.total, 0)
})

test('M-CONT-06 an SVG is a download under a policy that runs nothing, and every other file that is no picture is a download', async () => {
  const ws = await workspace()
  const svg = '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const [name, type, bytes] of [
    ['a.svg', 'image/svg+xml', svg],
    ['a.pdf', 'application/pdf', '%PDF-1.7 …'],
  ] as const) {
    const answer = await follow((await uploadFile(ws.admin, bytes, name, type)).contentId)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('M-CONT-06 a part of a file is sent to who asks for one, and nothing to who has it', async () => {
  const ws = await workspace()
  const { contentId } = await uploadFile(ws.admin, '0123456789', 'a.txt', 'text/plain')
  const part = await follow(contentId, '', { range: 'bytes=2-4' })
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, '234', 'bytes 2-4/10'])
  const whole = await follow(contentId)
  const { pathname, search } = new URL(whole.url)
  const again = await send(url, pathname + search, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
})

test('M-CONT-06 pictures are made as wide as asked for, in steps, once, as AVIF for who takes it', async () => {
  const ws = await workspace()
  const { contentId } = await uploadFile(ws.admin, await makePicture(1_000, 500), 'a.png', 'image/png')
  for (const [query, accept, type, width] of [
    ['?w=300', 'image/webp,*/*', 'image/webp', 320],
    ['?w=320', 'image/avif,image/webp', 'image/avif', 320],
    ['?w=1', '*/*', 'image/webp', 160],
    ['?w=960', '*/*', 'image/webp', 960],
    ['?w=99999', '*/*', 'image/png', 1_000],
    ['?w=961', '*/*', 'image/png', 1_000],
  ] as const) {
    const answer = await follow(contentId, query, { accept })
    assert.equal(answer.headers.get('content-type'), type, query)
    assert.equal((await sharp(await bytesOf(answer)).metadata()).width, width, query)
  }
  for (const bad of ['?w=0', '?w=-5', '?w=x', '?w=1.5', '?w=1e9']) assert.equal((await raw(contentId, bad)).status, 400, bad)
  const before = onDisk()
  const many = await Promise.all(Array.from({ length: 12 }, () => follow(contentId, '?w=640')))
  assert.equal(new Set((await Promise.all(many.map(bytesOf))).map((bytes) => bytes.toString('base64'))).size, 1)
  assert.equal(onDisk(), before + 1)
  const [row] = await ctx.db.selectFrom('assets').select('variants').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(row?.variants.toSorted(), ['160.webp', '320.avif', '320.webp', '640.webp', '960.webp'])
})

test('M-CONT-04 a picture that would unpack to more than a hundred million pixels is refused by its head', async () => {
  const ws = await workspace()
  const bomb = pngOf(30_000, 30_000)
  const ticket = await startUpload(ws.admin, 'bomb.png', 'image/png')
  assert.equal((await sendBytes(ticket, bomb)).status, 200)
  const began = performance.now()
  const refused = expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 400)
  assert.match(refused.body.error, /30000 × 30000/)
  assert.ok(performance.now() - began < 2_000)
})

test('M-CONT-04 a picture cut off behind its head is a file without a size to make smaller', async () => {
  const ws = await workspace()
  const whole = await makePicture(800, 800)
  const { contentId, placeholder } = await uploadFile(ws.admin, whole.subarray(0, 200), 'a.png', 'image/png')
  assert.equal(placeholder, null)
  assert.equal((await bytesOf(await follow(contentId, '?w=160'))).length, 200)
})

test('M-CONT-01 names with folders, hidden characters or overrides of direction are cleaned', async () => {
  const ws = await workspace()
  for (const [name, clean] of [
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['photo\u202Egnp.txt', 'photognp.txt'],
    ['a\u0001b\n.txt', 'ab.txt'],
    ['/', 'file'],
    ['...', 'file'],
    [`${'ش'.repeat(300)}.txt`, `${'ش'.repeat(196)}.txt`],
  ] as const)
    assert.equal((await uploadFile(ws.admin, 'x', name, 'text/plain')).fileName, clean)
})

test('M-CONT-04 what is said about a file is changed, found and paged', async () => {
  const ws = await workspace()
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await uploadFile(ws.admin, 'x', name, 'text/plain')
  const { contentId } = await uploadFile(ws.admin, await makePicture(20, 20), 'four.png', 'image/png')
  const path = `/content/${contentId}`
  const change = { alt: { en: 'A red square', ar: 'مربع أحمر' }, focalPoint: { x: 0.25, y: 1 }, fileName: 'a/red.png' }
  const changed = expectStatus(await ws.admin.put(path, change), 200).data
  assert.deepEqual([changed.alt, changed.focalPoint, changed.fileName], [change.alt, change.focalPoint, 'red.png'])
  const less = expectStatus(await ws.admin.put(path, { alt: { en: '' }, focalPoint: null }), 200).data
  assert.deepEqual([less.alt, less.focalPoint, less.fileName], [{ ar: 'مربع أحمر' }, null, 'red.png'])
  for (const body of [
    { alt: { 'not a language': 'x' } },
    { alt: { en: 'x'.repeat(501) } },
    { focalPoint: { x: 2, y: 0 } },
    { alt: [] },
    { fileName: '' },
  ])
    expectStatus(await ws.admin.put(path, body), 400)
  const names = async (query: string) => (await ws.admin.get(`/content?${query}`)).data.content.map((each: any) => each.fileName)
  assert.deepEqual(await names('search=RED'), ['red.png'])
  assert.deepEqual(await names(`search=${encodeURIComponent('أحمر')}`), ['red.png'])
  assert.deepEqual(await names('kind=image'), ['red.png'])
  assert.equal((await names('kind=other')).length, 3)
  const first = (await ws.admin.get('/content?limit=3')).body
  assert.deepEqual([first.data.content.length, first.metadata.total], [3, 4])
  assert.deepEqual(await names(`limit=3&cursor=${first.metadata.nextCursor}`), ['one.txt'])
})

test('M-CONT-08 a file that instances use is deleted only by force, and then everything of it', async () => {
  const ws = await workspace()
  const before = onDisk()
  const asset = await uploadFile(ws.admin, await makePicture(400, 400), 'a.png', 'image/png')
  await follow(asset.contentId, '?w=160')
  await ws.block('hero', { fields: [{ id: 'f_image', tag: '#image', type: 'image' }] })
  const { id } = await ws.instance('hero', { title: 'Home / Hero', translations: { ar: { '#image': asset.url } } })
  const path = `/content/${asset.contentId}`
  assert.deepEqual((await ws.admin.get(path)).data.usedBy, {
    instances: [{ id, blockKey: 'hero', title: 'Home / Hero' }],
    instanceCount: 1,
    campaigns: [],
  })
  const refused = await ws.admin.delete(path)
  assert.deepEqual([refused.status, refused.body.code], [409, 'FILE_IN_USE'])
  assert.equal((await follow(asset.contentId)).status, 200)
  expectStatus(await (await ws.viewer()).delete(`${path}?force=true`), 403)
  expectStatus(await ws.admin.delete(`${path}?force=true`), 200)
  assert.equal((await raw(asset.contentId)).status, 404)
  expectStatus(await ws.admin.get(path), 404)
  expectStatus(await ws.admin.delete(path), 404)
  assert.equal(onDisk(), before)
  assert.deepEqual(await ctx.db.selectFrom('assets').select('id').where('workspace_id', '=', ws.id).execute(), [])
})

test('M-CONT-08 a file deleted while the storage is away is gone at once, its bytes later; what nobody finished goes too', async () => {
  const ws = await workspace()
  const before = onDisk()
  const { contentId } = await uploadFile(ws.admin, 'x', 'a.txt', 'text/plain')
  const ticket = await startUpload(ws.admin, 'b.txt', 'text/plain')
  assert.equal((await sendBytes(ticket, 'never finished')).status, 200)
  await fault('storage', true)
  expectStatus(await ws.admin.delete(`/content/${contentId}`), 200)
  await fault('storage', false)
  assert.equal((await raw(contentId)).status, 404)
  assert.equal(onDisk(), before + 2)
  await advance(2 * 3_600)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'media' }), 200)
  assert.equal(onDisk(), before)
  assert.deepEqual(await ctx.db.selectFrom('assets').select('id').where('workspace_id', '=', ws.id).execute(), [])
  assert.deepEqual(await ctx.db.selectFrom('asset_addresses').select('id').where('workspace_id', '=', ws.id).execute(), [])
})

test('M-CONT-05 an upload that stops half way leaves nothing', async () => {
  const ws = await workspace()
  const before = onDisk()
  const ticket = await startUpload(ws.admin, 'a.bin', 'application/octet-stream')
  const abort = new AbortController()
  const begun = Promise.withResolvers<void>()
  let sent = 0
  const stream = new ReadableStream({
    pull: async (to) => {
      if (sent++ < 5) return to.enqueue(new Uint8Array(100_000))
      begun.resolve()
      await new Promise(() => {})
    },
  })
  const upload = fetch(ticket.uploadUrl, { method: 'PUT', body: stream, duplex: 'half', signal: abort.signal })
  await begun.promise
  abort.abort()
  await assert.rejects(upload)
  while (onDisk() !== before) await new Promise((resolve) => setTimeout(resolve, 20))
  expectStatus(await ws.admin.post('/content/finalize-upload', { contentId: ticket.contentId }), 409)
})

test('G-91 HEAD of a file says how long it is and what is in it, whole or in part', async () => {
  const ws = await workspace()
  const { contentId, size } = await uploadFile(await ws.editor(), await makePicture(640, 400), 'hero.png', 'image/png')
  const { pathname, search } = new URL((await raw(contentId)).headers.get('location') ?? '')
  for (const [headers, status, length] of [
    [{}, 200, size],
    [{ range: 'bytes=0-9' }, 206, 10],
  ] as const) {
    const answer = await send(url, pathname + search, { method: 'HEAD', headers })
    assert.deepEqual([answer.status, answer.headers['content-type']], [status, 'image/png'])
    assert.deepEqual([Number(answer.headers['content-length']), answer.body.length], [length, 0])
  }
})
