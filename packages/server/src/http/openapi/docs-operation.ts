/** One operation of the reference as HTML: a line that opens, and under it what it says, takes and answers. */
import type { JsonSchema as Schema } from './schemas.ts'

type Parameter = { name: string; in: string; required?: boolean; schema?: Schema; description?: string }
type Media = { content?: Record<string, { schema?: Schema; example?: unknown }>; description?: string }
type Response = Media & { headers?: Record<string, { $ref?: string; description?: string }>; 'x-codes'?: string[] }
export type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Media
  responses?: Record<string, Response>
}
/** `isSent`: a webhook, which the server sends instead of being asked. */
export type Route = { method: string; path: string; operation: Operation; isSent?: boolean }
/** Resolves a reference. */
export type Follow = (schema: Schema) => Schema

const CREDENTIALS: Record<string, string> = {
  appKey: 'X-CF-Key',
  appKeyInQuery: '?key=',
  writeKey: 'X-CF-Write-Key',
  readKey: 'X-CF-Read-Key',
  portalToken: 'Authorization: Bearer',
  tenant: 'X-Tenant-Id',
  operatorToken: 'X-CF-Operator-Token',
}

/** Its id is its address in the page. Only what can be asked of this server has a path that the script tries. */
export function renderRoute({ method, path, operation, isSent = false }: Route, follow: Follow): string {
  const id = operation.operationId ?? ''
  const parts = [
    `<div class="said">${paragraphs(operation.description ?? '')}</div>`,
    isSent ? '' : renderCredentials(operation),
    renderParameters(operation.parameters ?? []),
    renderBody(operation.requestBody, follow),
    ...renderAnswers(operation.responses ?? {}),
    renderRefusals(operation.responses ?? {}),
    `<p class="address"><a href="#${text(id)}">Link to this ${isSent ? 'webhook' : 'route'}</a> <code>${text(id)}</code></p>`,
  ]
  const tried = isSent ? '' : ` data-method="${method.toLowerCase()}" data-path="${text(path)}"`
  const name = isSent ? text(path) : `${method}</code> <code>${text(path)}`
  const kind = isSent ? '' : ` class="method ${method}"`
  return `<details id="${text(id)}" class="route"${tried}><summary><code${kind}>${name}</code> <span>${inline(operation.summary ?? '')}</span></summary><div>${parts.join('')}</div></details>`
}

function renderCredentials({ security = [] }: Operation): string {
  if (security.length === 0) return '<p>No credential.</p>'
  const ways = security.map((way) =>
    Object.keys(way)
      .map((name) => `<code>${text(CREDENTIALS[name] ?? name)}</code>`)
      .join(' and '),
  )
  return `<p>Credential: ${ways.join(' or ')}</p>`
}

function renderParameters(parameters: Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, schema, description }) => {
    const notes = [
      schema?.description ?? description,
      schema?.enum && `One of ${schema.enum.map((value) => `\`${String(value)}\``).join(', ')}.`,
      schema?.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`,
    ].filter(Boolean)
    return `<tr><td><code>${text(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${inline(notes.join('. ').replaceAll('.. ', '. '))}</td></tr>`
  })
  return `<table class="parameters"><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function renderBody(body: Media | undefined, follow: Follow): string {
  const media = Object.values(body?.content ?? {})[0]
  const schema = media?.schema && follow(media.schema)
  if (!schema?.properties) return ''
  return `<h3>Body</h3>${renderMembers(schema)}<h4>Example</h4>${json(media?.example)}`
}

function renderMembers({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(typeName(schema))}${required.includes(name) ? ', required' : ''}</td><td>${inline(schema.description ?? '')}</td></tr>`,
  )
  return `<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function renderAnswers(responses: Record<string, Response>): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => {
      const own = Object.keys(answer.headers ?? {}).filter((name) => !/^X-(Request-Id|CF-Env|RateLimit)/.test(name))
      const headers = own.length > 0 ? `<p>Headers: ${own.map((name) => `<code>${text(name)}</code>`).join(', ')}</p>` : ''
      const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
      if (!content?.schema) return `<h3>Answer ${status}</h3><p>${text(answer.description ?? '')}</p>${headers}`
      const shown =
        type === 'application/json'
          ? json(content.example)
          : `<p>${text(answer.description ?? '')}</p>${(content.schema.examples ?? []).map((sample) => `<pre tabindex="0">${text(sample as string)}</pre>`).join('')}`
      return `<h3>Answer ${status}</h3>${headers}${shown}`
    })
}

/** The codes by status; what they mean is on a page of its own. */
function renderRefusals(responses: Record<string, Response>): string {
  const rows = Object.entries(responses).flatMap(([status, answer]) => {
    const codes = answer['x-codes'] ?? []
    if (!/^[45]\d\d$/.test(status) || codes.length === 0) return []
    return [`<tr><td>${status}</td><td>${codes.map((code) => `<code>${code}</code>`).join(' ')}</td></tr>`]
  })
  if (rows.length === 0) return ''
  return `<h3>Refusals</h3><table class="codes"><thead><tr><th>Status</th><th>Codes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function typeName(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ')
  if (schema.items) return `array of ${typeName(schema.items)}`
  return schema.format ?? schema.type ?? 'any'
}

function json(value: unknown): string {
  return `<pre tabindex="0">${text(JSON.stringify(value, null, 2))}</pre>`
}

export function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** With what stands between backticks as code. */
function inline(value: string): string {
  return text(value).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function paragraphs(value: string): string {
  return value
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => `<p>${inline(part)}</p>`)
    .join('')
}
