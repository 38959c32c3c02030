/** A request of the API reference: what is sent, and the line of curl that sends the same. */

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema?: { description?: string; default?: unknown }
}
export type Operation = {
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
export type Scheme = { type: 'apiKey'; in: 'header' | 'query'; name: string } | { type: 'http'; scheme: 'bearer' }
export type Schemes = ReadonlyMap<string, Scheme>

/** `values`: by `fieldOf`. `credentials`: by the name of their scheme. */
export type Typed = { values: ReadonlyMap<string, string>; credentials: ReadonlyMap<string, string>; body: string }
/** `variable`: the name that replaces a secret in copied text. */
type Header = { name: string; value: string; variable?: string }
export type Request = { method: string; path: string; headers: Header[]; body: string | undefined }

/** The scheme of members; the session of the dashboard in this browser counts for it. */
export const SESSION = 'portalToken'
/** The header that pages of this server send, so that their session is accepted (session-cookie.ts). */
const OWN_PAGE = { name: 'X-CF-Dashboard', value: 'docs' }

export function fieldOf({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place} ${name}`
}

/** Schemes that are asked for: a key in the address is what the same key in a header does better. */
export function askedFor({ security = [] }: Operation, schemes: Schemes): string[] {
  const names = new Set(security.flatMap((way) => Object.keys(way)))
  return [...names].filter((name) => {
    const scheme = schemes.get(name)
    return scheme && !(scheme.type === 'apiKey' && scheme.in === 'query')
  })
}

export function bodyTypeOf({ requestBody }: Operation): string | undefined {
  return requestBody && Object.keys(requestBody.content)[0]
}

export function buildRequest(method: string, path: string, operation: Operation, schemes: Schemes, typed: Typed): Request {
  const given = (operation.parameters ?? []).flatMap((parameter) => {
    const value = typed.values.get(fieldOf(parameter)) ?? ''
    return value === '' ? [] : [{ ...parameter, value }]
  })
  const filled = given
    .filter((each) => each.in === 'path')
    .reduce((address, { name, value }) => address.replace(`{${name}}`, () => encodeURIComponent(value)), path)
  const query = given
    .filter((each) => each.in === 'query')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const type = bodyTypeOf(operation)
  const body = type === undefined || typed.body.trim() === '' ? undefined : typed.body
  return {
    method: method.toUpperCase(),
    path: query === '' ? filled : `${filled}?${query}`,
    headers: [
      ...askedFor(operation, schemes).flatMap((name) => credentialOf(name, schemes, typed.credentials.get(name) ?? '')),
      ...given.filter((each) => each.in === 'header').map(({ name, value }) => ({ name, value })),
      ...(body === undefined || type === undefined ? [] : [{ name: 'Content-Type', value: type }]),
    ],
    body,
  }
}

function credentialOf(name: string, schemes: Schemes, value: string): Header[] {
  const scheme = schemes.get(name)
  if (!scheme || (scheme.type === 'apiKey' && value === '')) return []
  if (scheme.type === 'apiKey') return [{ name: scheme.name, value, variable: scheme.name.toUpperCase().replaceAll('-', '_') }]
  return value === '' ? [{ ...OWN_PAGE, variable: 'TOKEN' }] : [{ name: 'Authorization', value: `Bearer ${value}`, variable: 'TOKEN' }]
}

/** Secrets are replaced by variables of the shell, so that the line can be shown and kept. */
export function curlOf({ method, path, headers, body }: Request, origin: string): string {
  const shown = headers.map(({ name, value, variable }) => {
    if (variable === undefined) return `-H ${quoted(`${name}: ${value}`)}`
    return variable === 'TOKEN' ? '-H "Authorization: Bearer $TOKEN"' : `-H "${name}: $${variable}"`
  })
  const parts = [`curl -X ${method} ${quoted(origin + path)}`, ...shown, ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`])]
  return parts.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
