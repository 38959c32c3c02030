/** Every route the server has, read from the server, so that no suite over all routes can forget one. */
import type { App } from '../../src/app.ts'

export type Route = { method: string; path: string; params: string[] }

/** Files that `npm start` built; `http/answers/pages.test.ts` and `packages/site/test` look at them. */
const BUILT =
  /^\/(\*|login|sign-in(?:\/tried)?|link-account|join|forgot-password|reset-password|confirm-email|device|[\w-]+\.(svg|js)|demo\/shop\/?\*?|guide\/?\*?)$/

/** `path` is written as the server has it: `/api/v1/blocks/:key`. Preflight routes and built pages are left out. */
export function listRoutes({ http }: App): Route[] {
  const routes: Route[] = []
  const open: string[] = []
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods = ''] = /^([\s│]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (segment === '') continue
    const depth = indent.length / 4
    open.length = depth
    open[depth] = segment
    const path = open.join('').replace(/^\/\//, '/')
    for (const method of methods.split(', ').filter(Boolean)) {
      if (method !== 'OPTIONS' && !BUILT.test(path))
        routes.push({ method, path, params: [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '') })
    }
  }
  return routes
}

/** The path with its parameters filled in, encoded. */
export function fillPath(path: string, values: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? name))
}

/** `METHOD /path` of every operation in the OpenAPI description, in the server's way of writing paths. */
export function listDescribed({ http }: App): string[] {
  const { paths = {} } = http.swagger() as { paths?: Record<string, object> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
}
