/** What links of messages are answered with, long ones and short ones alike. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { linkPage, type BothLanguages } from '../../http/link-pages/link-page.ts'

/** Names and values in turn, which node:http writes faster than an object. */
export const ALWAYS = [
  'cache-control',
  'no-store',
  'referrer-policy',
  'no-referrer',
  'x-robots-tag',
  'noindex',
  'x-content-type-options',
  'nosniff',
]
export const UNAVAILABLE = [...ALWAYS, 'retry-after', '5', 'content-length', '0']

export function leadTo(response: ServerResponse, url: string): void {
  response.writeHead(302, [...ALWAYS, 'location', url, 'content-length', '0']).end()
}

/** A page in the language of the browser. */
export function answerUnknown({ headers }: IncomingMessage, response: ServerResponse, texts: BothLanguages): void {
  const drawn = linkPage(texts, 'unknown', headers['accept-language'])
  const page = Buffer.from(drawn.html)
  response
    .writeHead(404, [...Object.entries(drawn.headers).flat(), 'x-robots-tag', 'noindex', 'content-length', String(page.length)])
    .end(page)
}
