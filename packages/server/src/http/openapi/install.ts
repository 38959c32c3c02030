import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { isLegacyRoot, type Auth } from '../callers/auth.ts'
import { takesKey } from '../once/install-once.ts'
import { ANSWER_HEADERS } from './answer-headers.ts'
import { finishDocument, REFUSALS } from './document.ts'

const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  app: [{ appKey: [] }],
  stream: [{ appKey: [] }, { appKeyInQuery: [] }],
  write: [{ writeKey: [] }],
  read: [{ readKey: [] }],
  account: [{ portalToken: [] }],
  member: [{ portalToken: [], tenant: [] }],
  directory: [{ portalToken: [] }],
  operator: [{ operatorToken: [] }],
  none: [],
}

/** The version of the product: one for the server, the SDK and the command line. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Collects every route that has tags; must be called before the routes are added. Older roots are the same routes and left out. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'ContentFlow',
        version: VERSION,
        description:
          'Server-driven content and customer engagement. Client routes live under /sdk/v1, management routes under /api/v1. Every answer is {success: true, data} or {success: false, error, code?}.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          appKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-CF-Key',
            description: 'Publishable, derived or secret key of an application; X-API-Key works too',
          },
          appKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
          writeKey: { type: 'apiKey', in: 'header', name: 'X-CF-Write-Key', description: 'For build pipelines' },
          readKey: { type: 'apiKey', in: 'header', name: 'X-CF-Read-Key', description: 'For servers that read people' },
          portalToken: { type: 'http', scheme: 'bearer', description: 'From POST /auth/login' },
          tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant-Id', description: 'The workspace' },
          operatorToken: { type: 'apiKey', in: 'header', name: 'X-CF-Operator-Token' },
        },
        schemas: REFUSALS,
        headers: ANSWER_HEADERS as Record<string, { description: string }>,
      },
    },
    hideUntagged: true,
    transformObject: (collected) => ('openapiObject' in collected ? finishDocument(collected.openapiObject) : collected.swaggerObject),
    transform: ({ schema, url, route }) => ({ schema: describeRoute(schema, route), url }),
  })
}

function describeRoute(schema: FastifySchema | undefined, { url, method, config }: RouteOptions): FastifySchema {
  // What directories call is described by SCIM itself, and refused in its words.
  if (isLegacyRoot(url) || config?.auth === 'directory') return { ...schema, hide: true }
  const auth = config?.auth ?? 'none'
  const id = config?.id
  const operationId = typeof id === 'object' ? (url.startsWith('/sdk/') ? id.client : id.management) : id
  // The members that begin with x- are used to finish the document and then removed, except for the permission.
  return {
    ...schema,
    ...(operationId !== undefined && { operationId }),
    security: SECURITY[auth],
    'x-auth': auth,
    'x-refuses': config?.refuses ?? [],
    'x-sends': config?.sends ?? [],
    'x-also': config?.alsoAnswers ?? [],
    ...(config?.permission && { 'x-permission': config.permission }),
    'x-once': url.startsWith('/api/v1/') && takesKey({ method, config }),
  } as FastifySchema
}
