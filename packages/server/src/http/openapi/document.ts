/** Makes of the collected routes a document that tools can use: operations and schemas with names, refusals with their codes, examples. */
import { PROBLEM_CODES } from '@contentflow/core/journeys/journey.ts'
import { CLIENT_ROUTES, type RouteProof } from '@contentflow/core/identity-proof/client-routes.ts'
import { USER_TOKEN_FAULTS } from '@contentflow/core/identity-proof/modes.ts'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import type { Auth } from '../callers/auth.ts'
import { permissionsOf, isApproval, type Permission } from '@contentflow/core/access/permissions.ts'
import { headersOf, OTHER_STATUSES, type Header, type OtherStatus, type SentHeader } from './answer-headers.ts'
import { exampleOf } from './example.ts'
import { describeWebhooks } from './webhooks.ts'
import { gatherSchemas, type JsonSchema, type SchemaLocation } from './schemas.ts'

type Media = { schema?: JsonSchema; example?: unknown }
type Answer = {
  description: string
  content?: Record<string, Media>
  headers?: Record<string, Header>
  'x-codes'?: ErrorCode[]
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: JsonSchema }
type Operation = {
  operationId?: string
  tags?: string[]
  'x-auth'?: Auth
  'x-refuses'?: ErrorCode[]
  /** It takes an `Idempotency-Key`. */
  'x-once'?: boolean
  'x-sends'?: SentHeader[]
  'x-also'?: OtherStatus[]
  'x-permission'?: Permission
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}
type Document = {
  webhooks?: Record<string, { post: object }>
  servers?: object[]
  tags?: object[]
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, JsonSchema> }
}

const TAGS: Record<string, string> = {
  Delivery: 'What an app reads: content, texts, campaigns, and the stream that says when to read again.',
  Inbox: 'Messages that stay with a person on all of their devices: read, archived, unread.',
  'Build pipeline': 'What a build declares: block types and texts.',
  People: 'Who is on an installation, what is known of them, and how they are erased.',
  Consent: 'Who agreed to what.',
  Push: 'Tokens, topics and preferences of push messages.',
  Location: 'Positions and crossings of fences.',
  Events: 'What happens on devices.',
  Accounts: 'Signing in, and the workspaces of a person.',
  'Sign-in': 'Signing in with a provider of OpenID Connect.',
  Members: 'Who works in a workspace.',
  Access: 'Roles of a workspace, service accounts and their tokens, and who may what.',
  Keys: 'What opens the API for apps, pipelines and servers.',
  Settings: 'Switches of a workspace.',
  Operator: 'For whoever runs the installation.',
  'Block types': 'What kinds of content there are, with their fields.',
  Instances: 'Content: drafts, revisions, publishing.',
  Reviews: 'What waits for a second person.',
  Strings: 'Texts of the application and their translations.',
  Locales: 'Languages of a workspace.',
  'Read API': 'People and devices, for servers with a read key.',
  Geofences: 'Areas whose crossings are told.',
  Segments: 'Groups of people by rules.',
  Analytics: 'What is counted from events.',
  Analysis: 'Questions about what people did: over time, along steps, and who comes back.',
  Experiments: 'Comparisons of variants: what they need, and what they say.',
  Data: 'What other systems say of people: imports, uploads, sources.',
  Explain: 'Why a device gets something, or does not.',
  'Content library': 'Files.',
  'Audit log': 'Who did what in a workspace, in a chain that shows what was changed in it.',
  Webhooks: 'Endpoints that are told what happens.',
  Channels: 'Providers that messages go out through.',
  Sends: 'Messages to people, and what became of them.',
  Campaigns: 'Messages for many, with a review.',
  Journeys: 'Messages step by step.',
  Mails: 'Templates and parts of mails of sections.',
  'Test hooks': 'Only where CF_TEST_HOOKS is on.',
  'Workspace as code': 'A workspace as text: read, compared, carried out.',
  Operations: 'For load balancers.',
}

const OF_APPS: ErrorCode[] = [
  'MISSING_SDK_KEY',
  'INVALID_SDK_KEY',
  'KEY_NOT_ALLOWED_HERE',
  'TENANT_KEY_MISMATCH',
  'SDK_RATE_LIMIT_EXCEEDED',
  'IP_RATE_LIMITED',
]
const OF_ALL: ErrorCode[] = ['UPSTREAM_UNAVAILABLE']
/** Refusals that come with a credential, for every route. */
const BY_AUTH: Record<Auth, ErrorCode[]> = {
  app: [...OF_APPS, 'SDK_KEY_IN_QUERY', 'SANDBOX_REQUIRED', 'SANDBOX_ROUTE_UNAVAILABLE', ...OF_ALL],
  stream: [...OF_APPS, 'SANDBOX_ROUTE_UNAVAILABLE', ...OF_ALL],
  write: ['KEY_NOT_ALLOWED_HERE', 'SDK_RATE_LIMIT_EXCEEDED', 'IP_RATE_LIMITED', ...OF_ALL],
  read: ['KEY_NOT_ALLOWED_HERE', ...OF_ALL],
  account: ['SESSION_OF_WORKSPACE', ...OF_ALL],
  member: ['ROLE_REQUIRED', 'TOKEN_NOT_ALLOWED_HERE', 'WORKSPACE_SUSPENDED', 'SSO_REQUIRED', 'SECOND_FACTOR_REQUIRED', ...OF_ALL],
  directory: ['ROLE_REQUIRED', 'TOKEN_NOT_ALLOWED_HERE', 'WORKSPACE_SUSPENDED', ...OF_ALL],
  operator: OF_ALL,
  none: OF_ALL,
}
/** Refusals of an `Idempotency-Key`, for every route that takes one. */
const OF_KEYS: ErrorCode[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_OUTCOME_UNKNOWN',
  'IDEMPOTENCY_KEY_LIMIT',
  'ROLE_REQUIRED',
]

const REFUSAL: JsonSchema = { $ref: '#/components/schemas/Refusal' }
const RATE_REFUSAL: JsonSchema = { $ref: '#/components/schemas/RateRefusal' }

/** The envelope of refusals, and the one that documents give another shape (C-ENV-05). */
export const REFUSALS = {
  Refusal: {
    type: 'object' as const,
    properties: {
      success: { type: 'boolean' as const, enum: [false] },
      error: { type: 'string' as const, description: 'For people; the code is for programs' },
      code: { type: 'string' as const, enum: Object.keys(ERRORS) },
      retryable: { type: 'boolean' as const },
      reason: { type: 'string' as const, enum: [...USER_TOKEN_FAULTS], description: 'Of USER_TOKEN_INVALID: what is wrong with the token' },
      signInUrl: {
        type: 'string' as const,
        description: 'Of SSO_REQUIRED, and of SECOND_FACTOR_REQUIRED in a workspace: where to sign in',
      },
      subscriptions: { type: 'integer' as const, description: 'Of KEYS_IN_USE: browsers that would be lost' },
      wouldRefuse: { type: 'integer' as const, description: 'Of IDENTITY_CHECK_NEEDED: calls of the last 24 hours' },
      problems: {
        type: 'array' as const,
        description: 'Of JOURNEY_INCOMPLETE: what is missing',
        items: {
          type: 'object' as const,
          properties: {
            path: { type: 'string' as const },
            code: { type: 'string' as const, enum: [...PROBLEM_CODES] },
            message: { type: 'string' as const },
          },
          required: ['path', 'code', 'message'],
        },
      },
    },
    required: ['success', 'error'],
    additionalProperties: true,
    examples: [{ success: false, error: 'Invalid API key', code: 'INVALID_SDK_KEY' }],
  },
  RateRefusal: {
    type: 'object' as const,
    properties: {
      success: { type: 'boolean' as const, enum: [false] },
      error: {
        type: 'object' as const,
        properties: {
          message: { type: 'string' as const },
          code: { type: 'string' as const, enum: ['SDK_RATE_LIMIT_EXCEEDED'] },
          details: {
            type: 'object' as const,
            properties: {
              retryAfter: { type: 'integer' as const },
              limit: { type: 'integer' as const },
              period: { type: 'string' as const, enum: ['1m'] },
            },
            required: ['retryAfter', 'limit', 'period'],
          },
        },
        required: ['message', 'code', 'details'],
      },
    },
    required: ['success', 'error'],
  },
}

export function finishDocument<D extends object>(collected: D): D {
  const document = collected as Document
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  for (const { method, path, operation } of operations) finishOperation(operation, method, path)
  const tags = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
  document.webhooks = describeWebhooks()
  document.servers = [{ url: '/', description: 'The server that this document is from' }]
  const ordered = [...new Set([...Object.keys(TAGS), ...tags])].filter((name) => tags.has(name))
  document.tags = ordered.map((name) => ({ name, description: TAGS[name] ?? name }))
  const schemas = document.components?.schemas ?? {}
  const gathered = gatherSchemas(
    [...operations.map(({ operation }) => operation), ...Object.values(document.webhooks).map(({ post }) => post as Operation)].flatMap(
      placesOf,
    ),
    Object.keys(schemas),
  )
  document.components = { ...document.components, schemas: { ...schemas, ...gathered } }
  return collected
}

function finishOperation(operation: Operation, method: string, path: string): void {
  const proof = proofOf(method, path)
  addProofHeaders(operation, proof)
  // A parameter with a default may be left out.
  for (const parameter of operation.parameters ?? []) if (parameter.schema?.default !== undefined) parameter.required = false
  for (const { schema, media } of mediaOf(operation)) media.example ??= exampleOf(schema)
  for (const [status, answer] of Object.entries(operation.responses))
    if (answer.description === 'Default Response')
      answer.description = status.startsWith('2') ? 'Done' : status === '304' ? 'Not modified' : 'Refused'
  const isOnce = operation['x-once'] === true
  if (isOnce) addOnceHeaders(operation)
  addRefusals(operation, [
    ...BY_AUTH[operation['x-auth'] ?? 'none'],
    ...(operation['x-refuses'] ?? []),
    ...proofRefusals(proof),
    ...(isOnce ? OF_KEYS : []),
  ])
  for (const status of operation['x-also'] ?? [])
    operation.responses[status] ??= { ...(status >= 400 && refusalAnswer(status, [])), description: OTHER_STATUSES[status] }
  for (const [status, answer] of Object.entries(operation.responses))
    answer.headers = { ...headersOf(path, status, answer['x-codes'] ?? [], operation['x-sends'] ?? []), ...answer.headers }
  const holders = operation['x-permission'] && holdersOf(operation['x-permission'])
  if (holders !== undefined) operation.description = [operation.description, holders].filter(Boolean).join('\n\n')
  delete operation['x-auth']
  delete operation['x-sends']
  delete operation['x-also']
  delete operation['x-once']
  delete operation['x-refuses']
}

/** Who may call a route that takes this permission. */
function holdersOf(permission: Permission): string {
  const roles = permissionsOf('viewer', false).has(permission)
    ? 'every member holds'
    : permissionsOf('editor', false).has(permission)
      ? 'editors and admins hold'
      : isApproval(permission)
        ? 'comes with approval rights'
        : 'admins hold'
  return `Takes the permission \`${permission}\`, which ${roles}.`
}

/** The proofs that a call of a client route needs where signed identity is on; undefined for every other route. */
function proofOf(method: string, path: string): RouteProof | undefined {
  const route = `${method.toUpperCase()} ${path.replace('/sdk/v1', '').replaceAll(/\{(\w+)\}/g, ':$1')}`
  return path.startsWith('/sdk/v1/') ? CLIENT_ROUTES.get(route) : undefined
}

/** Reads without the proof of their installation are answered as those of an unknown one. */
function proofRefusals(need: RouteProof | undefined): ErrorCode[] {
  const isUserAsked = need !== undefined && need.user !== 'none'
  const isDeviceAsked = need !== undefined && !['none', 'read'].includes(need.device)
  return [
    ...(isUserAsked ? (['USER_TOKEN_REQUIRED', 'USER_TOKEN_INVALID'] as const) : []),
    ...(isDeviceAsked ? (['DEVICE_PROOF_REQUIRED'] as const) : []),
  ]
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

/** The header of a POST that is done once, and the one of an answer that is given again. */
function addOnceHeaders(operation: Operation): void {
  const sent = header(
    'idempotency-key',
    'A text of your own, 1 to 255 characters: sent again with it within 24 hours, nothing is done twice',
  )
  operation.parameters = [...(operation.parameters ?? []), sent]
  for (const [status, answer] of Object.entries(operation.responses))
    if (status.startsWith('2'))
      answer.headers = {
        ...answer.headers,
        'idempotent-replay': {
          description: '`true` when it is the answer to an earlier request',
          schema: { type: 'string', enum: ['true'] },
        },
      }
}

/** The headers of signed identity. */
function addProofHeaders(operation: Operation, need: RouteProof | undefined): void {
  if (!need) return
  const added = [
    ...(need.user === 'none' ? [] : [header('x-cf-user-token', 'Where user tokens are asked for: a JWT of your own server for this user')]),
    ...(need.device === 'none'
      ? []
      : [header('x-cf-device-token', 'Where device proofs are asked for: the deviceToken of the last identify')]),
  ]
  if (added.length > 0) operation.parameters = [...(operation.parameters ?? []), ...added]
}

/** A status for each known refusal of the route, with its codes; `4XX` for refusals that any route may have. */
function addRefusals({ responses, requestBody, parameters = [], ...operation }: Operation, codes: readonly ErrorCode[]): void {
  const byStatus: Map<number, ErrorCode[]> = Map.groupBy(new Set(codes), (code) => ERRORS[code][0])
  const plain: [boolean, number][] = [
    [requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query'), 400],
    [operation['x-auth'] !== 'none' && operation['x-auth'] !== undefined, 401],
    [parameters.some((parameter) => parameter.in === 'path'), 404],
    [requestBody !== undefined, 413],
  ]
  for (const [isSo, status] of plain) if (isSo && !byStatus.has(status)) byStatus.set(status, [])
  for (const [status, said] of [...byStatus].sort(([a], [b]) => a - b)) {
    const known = responses[status]
    if (known) known['x-codes'] = said
    else responses[status] = refusalAnswer(status, said)
  }
  responses['4XX'] ??= refusalAnswer(400, [])
}

function refusalAnswer(status: number, codes: ErrorCode[]): Answer {
  const isRate = codes.includes('SDK_RATE_LIMIT_EXCEEDED')
  const [first] = codes
  const example = { success: false, error: first ? ERRORS[first][1] : 'What was wrong, in words', ...(first && { code: first }) }
  return {
    description: codes.length > 0 ? `Refused: ${codes.join(', ')}` : status === 400 ? 'Refused; `error` says why' : 'Refused',
    content: { 'application/json': { schema: isRate ? { anyOf: [REFUSAL, RATE_REFUSAL] } : REFUSAL, ...(!isRate && { example }) } },
    ...(codes.length > 0 && { 'x-codes': codes }),
  }
}

function mediaOf({ requestBody, responses }: Operation): { media: Media; schema: JsonSchema; isBody: boolean }[] {
  const all = [
    ...Object.values(requestBody?.content ?? {}).map((media) => ({ media, isBody: true })),
    ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map((media) => ({ media, isBody: false }))),
  ]
  return all.flatMap(({ media, isBody }) => (media.schema && !media.schema.$ref ? [{ media, schema: media.schema, isBody }] : []))
}

function placesOf(operation: Operation): SchemaLocation[] {
  return mediaOf(operation)
    .filter(({ schema }) => !schema.anyOf?.some(({ $ref }) => $ref))
    .map(({ media, schema, isBody }) => ({
      operationId: operation.operationId ?? '',
      isBody,
      schema,
      put: (placed) => {
        media.schema = placed
      },
    }))
}
