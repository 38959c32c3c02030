/**
 * The client for pages without a bundler, as `npm start` built it: `/sdk/contentflow.js` is the one of this server, and the address
 * with its version never answers anything else, so it is kept for a year and may be held to its hash (decision 90).
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { DAY_SECONDS } from '@contentflow/core/units.ts'
import { failWith } from '../../errors.ts'
import { VERSION } from '../openapi/install.ts'

const BUILT = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url))
const FILE = 'contentflow.js'
const YEAR = 365 * DAY_SECONDS

/** Pages of any origin load it. */
const HEADERS = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }

const PATHS = { latest: `/sdk/${FILE}`, pinned: `/sdk/contentflow-${VERSION}.js` }

/** Both addresses. `sendFile` of the static files has to be there. */
export function sdkScriptRoutes(app: FastifyInstance): void {
  const open = { config: { auth: 'none' as const }, schema: { hide: true } }
  for (const [path, keep] of [
    [PATHS.latest, 'no-cache'],
    [PATHS.pinned, `public, max-age=${YEAR}, immutable`],
  ] as const)
    app.get(path, open, async (_request, reply) => {
      if (!existsSync(BUILT + FILE)) failWith(404, 'This file is not built yet: `npm start` builds it')
      return reply.headers({ ...HEADERS, 'cache-control': keep }).sendFile(FILE, BUILT)
    })
}

/** The element that loads it and nothing else; undefined while it is not built. */
export function sdkScriptElement(): string | undefined {
  if (!existsSync(BUILT + FILE)) return undefined
  const hash = createHash('sha384')
    .update(readFileSync(BUILT + FILE))
    .digest('base64')
  return `<script src="https://YOUR-SERVER${PATHS.pinned}" integrity="sha384-${hash}" crossorigin="anonymous"></script>`
}
