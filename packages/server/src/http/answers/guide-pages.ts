/**
 * The documentation at `/guide/`, as `npm start` built it from `docs`, compressed beforehand. What lies in `assets` carries a hash of
 * what is in it in its name and is kept for a year; pages are asked for again each time. An address without a page gets the page that
 * says so, and leads on from there.
 */
import { DAY_SECONDS } from '@contentflow/core/units.ts'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { failWith } from '../../errors.ts'

const BUILT = fileURLToPath(new URL('../../../../site/dist/', import.meta.url))
const YEAR = 365 * DAY_SECONDS

/** Nothing of other hosts, and no script inside of a page. Colours of code are styles inside of pages. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `headers`: what all built pages are sent with. `sendFile` of the static files has to be there. */
export function guideRoutes(app: FastifyInstance, headers: Record<string, string>): void {
  const open = { config: { auth: 'none' as const }, schema: { hide: true } }
  app.get('/guide', open, async (_request, reply) => reply.redirect('/guide/'))
  app.get('/guide/*', open, async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const file = fileOf(path)
    // As people shorten addresses: without the ending, or without the last stroke.
    if (file === undefined && isFile(`${path}.html`)) return reply.redirect(`/guide/${path}.html`, 301)
    if (file === undefined && isFile(`${path}/index.html`)) return reply.redirect(`/guide/${path}/`, 301)
    if (file === undefined && !isFile('404.html')) failWith(404, 'This page is not built yet: `npm start` builds it')
    const isKept = file?.startsWith('assets/') === true
    return reply
      .code(file === undefined ? 404 : 200)
      .headers({
        ...headers,
        'content-security-policy': POLICY,
        'cache-control': isKept ? `public, max-age=${YEAR}, immutable` : 'no-cache',
      })
      .sendFile(file ?? '404.html', BUILT)
  })
}

function fileOf(path: string): string | undefined {
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  return isFile(file) ? file : undefined
}

/** Names of built files begin with a letter, a digit, `_` or `@`: no way out of the folder, and nothing that is hidden in it. */
function isFile(path: string): boolean {
  return /^[\w@][\w@.-]*(\/[\w@][\w@.-]*)*$/.test(path) && statSync(BUILT + path, { throwIfNoEntry: false })?.isFile() === true
}
