/** Files for tests, uploaded as people's browsers do it. */
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { expectStatus, type Client } from './builders.ts'

export type Ticket = { contentId: string; uploadUrl: string; method: string; headers: Record<string, string>; expiresAt: string }

export async function startUpload(client: Client, fileName: string, mimeType: string): Promise<Ticket> {
  return expectStatus(await client.post('/content/generate-upload-url', { fileName, mimeType }), 201).data
}

export function sendBytes({ uploadUrl, method, headers }: Ticket, bytes: string | Buffer): Promise<Response> {
  return fetch(uploadUrl, { method, headers, body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes) })
}

/** What finalizing answers. */
export async function uploadFile(client: Client, bytes: string | Buffer, fileName: string, mimeType: string): Promise<any> {
  const ticket = await startUpload(client, fileName, mimeType)
  const sent = await sendBytes(ticket, bytes)
  assert.equal(sent.status, 200, await sent.text())
  return expectStatus(await client.post('/content/finalize-upload', { contentId: ticket.contentId }), 200).data
}

/** With something in it, so that it can be made smaller. */
export function makePicture(width: number, height: number, hue = 12): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue} 80% 62%)"/><stop offset="1" stop-color="hsl(${hue + 70} 70% 38%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="30%" cy="40%" r="18%" fill="#fff8" /><circle cx="72%" cy="66%" r="26%" fill="#0003" /></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** The same as a camera writes it. */
export async function makePhoto(width: number, height: number): Promise<Buffer> {
  return sharp(await makePicture(width, height))
    .jpeg({ quality: 90 })
    .toBuffer()
}
