/**
 * What browsers get: the dashboard at `/`, the demo shop at `/demo/shop/`, the worker of web push at `/push/worker.js`, the client
 * for pages without a bundler at `/sdk/contentflow.js`, the documentation at `/guide/`. Files come from where `npm start`
 * built them, compressed beforehand. Names of built files carry a hash of what is in them, so they are kept for
 * a year; pages are asked for again each time.
 */
import { DAY_SECONDS } from '@contentflow/core/units.ts'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { failWith } from '../../errors.ts'
import { guideRoutes } from './guide-pages.ts'
import { sdkScriptRoutes } from './sdk-script.ts'

const DASHBOARD = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url))
const SHOP = fileURLToPath(new URL('../../../../../examples/shop/dist/', import.meta.url))

/**
 * No script but our own files, nothing framed, nothing sent elsewhere. Styles may be inline because the
 * component library sets its variables so. Pictures of content come from wherever content says.
 */
const policyOf = (uploadOrigin: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' https: http: data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${uploadOrigin ? ` ${uploadOrigin}` : ''}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const HEADERS = {
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Addresses of the dashboard's own pages; it finds out itself which one it is. */
const DASHBOARD_PAGES = [
  '/',
  '/login',
  '/sign-in',
  '/sign-in/tried',
  '/link-account',
  '/join',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/device',
  '/w/*',
]
/** A copy of what `@contentflow/sdk/push-worker` is. */
const WORKER = 'push-worker.js'
/** Files beside the page whose names carry no hash. */
const DASHBOARD_FILES = ['/icon.svg', '/first-paint.js', '/docs-try.js']

/** `uploadOrigin`: where browsers send files when that is another server. `findDemoKey`: finds the key with which the demo shop reads its content. */
export async function pageRoutes(
  app: FastifyInstance,
  uploadOrigin: string | undefined,
  findDemoKey: () => Promise<string | undefined>,
): Promise<void> {
  // Registered only for `sendFile`, which gets the folder each time; a folder that is not built yet would cause a warning here.
  await app.register(fastifyStatic, { root: import.meta.dirname, serve: false, preCompressed: true, cacheControl: false })
  const open = { config: { auth: 'none' as const }, schema: { hide: true } }
  const headers = { ...HEADERS, 'content-security-policy': policyOf(uploadOrigin) }
  const send = (reply: FastifyReply, root: string, file: string, seconds: number) => {
    if (!existsSync(root + file)) failWith(404, existsSync(root) ? 'not found' : 'This page is not built yet: `npm start` builds it')
    const keep = seconds > 0 ? `public, max-age=${seconds}, immutable` : 'no-cache'
    return reply.headers({ ...headers, 'cache-control': keep }).sendFile(file, root)
  }
  const folder = (prefix: string, root: string, inside: string, seconds: number) =>
    app.get(`${prefix}*`, open, async (request, reply) => {
      const { '*': name } = request.params as { '*': string }
      if (!/^[\w.-]+$/.test(name)) failWith(404, 'not found')
      return send(reply, root, `${inside}${name}`, seconds)
    })

  for (const path of DASHBOARD_PAGES) app.get(path, open, async (_request, reply) => send(reply, DASHBOARD, 'index.html', 0))
  for (const path of DASHBOARD_FILES) app.get(path, open, async (_request, reply) => send(reply, DASHBOARD, path.slice(1), 0))
  folder('/assets/', DASHBOARD, 'assets/', YEAR)

  app.get('/push/worker.js', open, async (_request, reply) => {
    if (!existsSync(DASHBOARD + WORKER)) failWith(404, 'This file is not built yet: `npm start` builds it')
    // Workers of apps load it from their own origin, as a script and in no page (decision 67).
    void reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
    return reply.sendFile(WORKER, DASHBOARD)
  })

  sdkScriptRoutes(app)
  guideRoutes(app, HEADERS)

  app.get('/demo/shop', open, async (_request, reply) => reply.redirect('/demo/shop/'))
  app.get('/demo/shop/', open, async (_request, reply) => send(reply, SHOP, 'index.html', 0))
  folder('/demo/shop/assets/', SHOP, 'assets/', YEAR)
  folder('/demo/shop/images/', SHOP, 'images/', DAY_SECONDS)
  app.get('/demo/shop/config.json', open, async (_request, reply) => {
    // Null where there is no demo: pages may ask for it, so that is no error.
    const key = (await findDemoKey()) ?? null
    return reply.header('cache-control', 'no-store').send({ baseUrl: '/sdk/v1', key })
  })
}

const YEAR = 31_536_000
