/** Who is shown a picture is not told where it was taken, and by whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { makePicture, uploadFile } from '../../../test/builders/files.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { url, workspace } = await startApp()

const SECRET = 'Somebody Secret'
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${SECRET}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

/** As a phone writes it: turned, with a wide colour profile, a place and an author. */
async function taken(make: (picture: Sharp) => Sharp, orientation = 6): Promise<Buffer> {
  const picture = sharp(await makePicture(300, 200)).withIccProfile('p3')
  const exif = { IFD0: { Artist: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '23/1 36/1 0/1' } }
  return make(picture).withExif(exif).withMetadata({ orientation }).withXmp(XMP).toBuffer()
}

const bytesOf = async (contentId: string, query = '') =>
  Buffer.from(await (await fetch(`${url}/api/v1/content/${contentId}/raw${query}`)).arrayBuffer())
const pixelsOf = (picture: Buffer) => sharp(picture).raw().toBuffer()

/** With a note of a press photographer, a comment, and another picture behind it. */
function withMore(jpeg: Buffer): Buffer {
  const segment = (kind: number, text: string) => Buffer.concat([Buffer.from([0xff, kind, 0, text.length + 2]), Buffer.from(text)])
  const more = [segment(0xed, `Photoshop 3.0\0${SECRET}`), segment(0xfe, SECRET), segment(0xe2, `MPF\0${SECRET}`)]
  return Buffer.concat([jpeg.subarray(0, 2), ...more, jpeg.subarray(2), Buffer.from(SECRET)])
}

for (const [type, make] of [
  ['image/jpeg', async () => withMore(await taken((picture) => picture.jpeg()))],
  ['image/jpeg', async () => taken((picture) => picture.jpeg({ progressive: true }))],
  ['image/png', async () => taken((picture) => picture.png())],
  ['image/webp', async () => taken((picture) => picture.webp({ lossless: true }))],
] as const) {
  test(`M-CONT-06 of ${type} every pixel, the turn and the colours are given out, and no place and no author`, async () => {
    const ws = await workspace()
    const sent = await make()
    const before = await sharp(sent).metadata()
    assert.ok(sent.includes(SECRET) && before.exif && before.orientation === 6)
    const asset = await uploadFile(ws.admin, sent, 'a', type)
    const given = await bytesOf(asset.contentId)
    const after = await sharp(given).metadata()
    assert.deepEqual([given.includes(SECRET), after.xmp, asset.size], [false, undefined, given.length])
    assert.ok((after.exif?.length ?? 0) < 40, 'of EXIF nothing but the turn')
    assert.deepEqual([after.orientation, after.width, after.height, asset.width, asset.height], [6, before.width, before.height, 200, 300])
    assert.ok(after.icc?.equals(before.icc ?? Buffer.alloc(0)))
    assert.ok((await pixelsOf(given)).equals(await pixelsOf(sent)))
    const { width, height, exif } = await sharp(await bytesOf(asset.contentId, '?w=160')).metadata()
    assert.deepEqual([width, height, exif], [160, 240, undefined])
  })
}

test('M-CONT-06 what has no metadata is given out to the byte, and so is what is not built as its type says', async () => {
  const ws = await workspace()
  const plain = sharp(await makePicture(300, 200))
  const upright = await taken((picture) => picture.jpeg(), 1)
  const stripped = await bytesOf((await uploadFile(ws.admin, upright, 'a', 'image/jpeg')).contentId)
  assert.equal((await sharp(stripped).metadata()).exif, undefined)
  const whole = await plain.jpeg().toBuffer()
  for (const [type, bytes] of [
    ['image/jpeg', whole],
    ['image/jpeg', stripped],
    ['image/jpeg', whole.subarray(0, whole.length - 400)],
    ['image/jpeg', Buffer.from('ffd8ffe00010', 'hex')],
    ['image/png', await plain.png().toBuffer()],
    ['image/png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40, 0xff)])],
    ['image/webp', await plain.webp().toBuffer()],
    ['image/webp', Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X', 'latin1')],
  ] as const) {
    const { contentId, size } = await uploadFile(ws.admin, bytes, 'a', type)
    assert.ok((await bytesOf(contentId)).equals(bytes), `${type} of ${bytes.length} bytes`)
    assert.equal(size, bytes.length)
  }
})
