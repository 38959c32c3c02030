/** The OpenAPI document as one readable page, complete without its script, which only lets requests be tried (dashboard/src/docs-try). */
import type { JsonSchema as Schema } from './schemas.ts'

type Parameter = { name: string; in: string; required?: boolean; schema?: Schema; description?: string }
type Media = { content?: Record<string, { schema?: Schema; example?: unknown }>; description?: string }
type Operation = {
  summary?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Media
  responses?: Record<string, Media>
}
type Document = {
  info: { title: string; description?: string }
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}
type Route = { method: string; path: string; operation: Operation }
/** Resolves a reference. */
type Follow = (schema: Schema) => Schema

const CREDENTIALS: Record<string, string> = {
  appKey: 'X-CF-Key',
  appKeyInQuery: '?key=',
  writeKey: 'X-CF-Write-Key',
  portalToken: 'Authorization: Bearer',
  tenant: 'X-Tenant-Id',
  operatorToken: 'X-CF-Operator-Token',
}

/** Allows only our own script, which calls only this server. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `script`: the element that loads the client of this server; undefined where it is not built. */
export function docsPage(openapi: object, script: string | undefined): string {
  const document = openapi as Document
  const follow: Follow = (schema) => (schema.$ref === undefined ? schema : (document.components?.schemas?.[nameOf(schema.$ref)] ?? {}))
  const routes = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? 'Other')
  const links = [...groups.keys()].map((tag) => `<a href="#${slug(tag)}">${text(tag)}</a>`).join('')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(document.info.title)} API</title><style>${STYLE}</style><script type="module" src="/docs-try.js"></script></head>
<body>
<nav aria-label="Groups"><strong>${text(document.info.title)}</strong>${links}<a href="/api/v1/openapi.json">openapi.json</a></nav>
<main><h1>${text(document.info.title)} API</h1><p>${text(document.info.description ?? '')}</p>
${renderScript(script)}${[...groups].map(([tag, list]) => `<section id="${slug(tag)}"><h2>${text(tag)}</h2>${list.map((route) => renderRoute(route, follow)).join('')}</section>`).join('\n')}
</main>
</body>
</html>
`
}

function renderScript(script: string | undefined): string {
  if (script === undefined) return ''
  return `<section id="client-script"><h2>The client as a script</h2><p>For pages without a bundler; <code>ContentFlow.createClient</code> is the client. The browser loads it only while it has this hash.</p><pre tabindex="0">${text(script)}</pre></section>\n`
}

function renderRoute({ method, path, operation }: Route, follow: Follow): string {
  const parts = [
    renderCredentials(operation),
    renderParameters(operation.parameters ?? []),
    renderBody(operation.requestBody, follow),
    ...renderAnswers(operation.responses ?? {}),
  ]
  return `<details data-method="${method.toLowerCase()}" data-path="${text(path)}"><summary><code class="method ${method}">${method}</code> <code>${text(path)}</code> <span>${text(operation.summary ?? '')}</span></summary><div>${parts.join('')}</div></details>`
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
      schema?.default === undefined ? '' : `Default ${JSON.stringify(schema.default)}.`,
    ].filter(Boolean)
    return `<tr><td><code>${text(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${text(notes.join(' '))}</td></tr>`
  })
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
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
      `<tr><td><code>${text(name)}</code></td><td>${text(typeName(schema))}${required.includes(name) ? ', required' : ''}</td><td>${text(schema.description ?? '')}</td></tr>`,
  )
  return `<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function renderAnswers(responses: Record<string, Media>): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, media]) => {
      const [type, content] = Object.entries(media.content ?? {})[0] ?? []
      if (!content?.schema) return `<h3>Answer ${status}</h3><p>${text(media.description ?? '')}</p>`
      const shown =
        type === 'application/json'
          ? json(content.example)
          : `<p>${text(media.description ?? '')}</p>${(content.schema.examples ?? []).map((sample) => `<pre>${text(sample as string)}</pre>`).join('')}`
      return `<h3>Answer ${status}</h3>${shown}`
    })
}

function nameOf(reference: string): string {
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

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function slug(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent) }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 13rem minmax(0, 1fr) }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow: auto; padding: 1.5rem 1rem; box-sizing: border-box; border-inline-end: 1px solid var(--line); display: flex; flex-direction: column; gap: .35rem }
nav a { color: inherit; text-decoration: none; padding: .15rem .4rem; border-radius: 4px } nav a:hover, nav a:focus-visible { background: var(--soft) }
main { padding: 1.5rem 2.5rem 4rem; max-width: 62rem }
h1 { margin-top: 0 } h2 { margin-top: 2.5rem } h3 { margin: 1.2rem 0 .3rem; font-size: 1rem } h4 { margin: .8rem 0 .2rem; font-size: .9rem }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0 } details > div { padding: 0 1rem 1rem }
summary { cursor: pointer; padding: .55rem 1rem; display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline } summary:hover { background: var(--soft) } summary span { opacity: .8 }
code, pre { font: .86em/1.5 ui-monospace, monospace } .method { font-weight: 700; min-width: 4rem } .GET { color: #16794c } .POST { color: #1d5fc4 } .PUT, .PATCH { color: #9a5b00 } .DELETE { color: #b3261e }
pre { background: var(--soft); padding: .8rem; border-radius: 6px; overflow: auto; max-height: 24rem; margin: .3rem 0 }
button, input, textarea { font: inherit; color: inherit } button { padding: .3rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); cursor: pointer } button:disabled { opacity: .5; cursor: default }
.try { border-top: 1px solid var(--line); margin-top: 1rem; display: flex; flex-direction: column; gap: .6rem } .try > p, .try > h4 { margin: 0 } .try h3 { margin: 1rem 0 0 }
.try label { display: flex; flex-direction: column; gap: .2rem; font-size: .9rem } .try input, .try textarea { padding: .35rem .5rem; border: 1px solid var(--line); border-radius: 6px; background: transparent; font: .86em/1.5 ui-monospace, monospace } .buttons { display: flex; gap: .6rem; align-items: center } .answer pre { white-space: pre-wrap; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .3rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top } code, td { overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { .GET { color: #6fd3a3 } .POST { color: #8ab8ff } .PUT, .PATCH { color: #f0b35a } .DELETE { color: #ff8f86 } }
@media (max-width: 720px) { body { display: block } nav { position: static; height: auto; flex-direction: row; flex-wrap: wrap; border: 0; border-bottom: 1px solid var(--line) } main { padding: 1rem } }
`
