/**
 * The OpenAPI document as one readable page, complete without its script, which finds routes, opens the one that the address names
 * and lets requests be tried (dashboard/src/docs-try).
 */
import { nameOf, renderRoute, text, type Follow, type Operation, type Route } from './docs-operation.ts'
import { STYLE } from './docs-style.ts'
import type { JsonSchema as Schema } from './schemas.ts'

type Document = {
  info: { title: string; description?: string }
  tags?: { name: string; description: string }[]
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components?: { schemas?: Record<string, Schema> }
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
  const sent = Object.entries(document.webhooks ?? {}).map(([event, { post }]): Route => ({
    method: 'POST',
    path: event,
    operation: post,
    isSent: true,
  }))
  const groups = Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? 'Other')
  const said = new Map(document.tags?.map(({ name, description }) => [name, description]))
  const tags = [...said.keys()].filter((tag) => groups.has(tag))
  const links = tags.map((tag) => `<a href="#${slug(tag)}">${text(tag)}</a>`).join('')
  const section = (tag: string, list: Route[]) =>
    `<section id="${slug(tag)}" class="group"><h2>${text(tag)}</h2><p>${text(said.get(tag) ?? '')}</p>${list.map((route) => renderRoute(route, follow)).join('')}</section>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(document.info.title)} API</title><style>${STYLE}</style><script type="module" src="/docs-try.js"></script></head>
<body>
<nav aria-label="Groups"><strong>${text(document.info.title)}</strong><a href="#begin">Begin here</a><a href="#sent">What webhooks send</a>${links}<a href="/api/v1/openapi.json">openapi.json</a></nav>
<main><h1>${text(document.info.title)} API</h1><p>${text(document.info.description ?? '')}</p>
<form role="search" id="find" hidden><label for="words">Find a route</label><input id="words" type="search" autocomplete="off" spellcheck="false" aria-describedby="found" placeholder="A path, a word or a code, such as publish or SEGMENT_LIMIT"><p id="found" role="status"></p></form>
${BEGIN}
${renderScript(script)}${tags.map((tag) => section(tag, groups.get(tag) ?? [])).join('\n')}
<section id="sent" class="group"><h2>What webhooks send</h2>${SENT}${sent.map((route) => renderRoute(route, follow)).join('')}</section>
</main>
</body>
</html>
`
}

const BEGIN = `<section id="begin" class="group"><h2>Begin here</h2>
<h3>Keys</h3>
<table><thead><tr><th>Who calls</th><th>Sends</th><th>From</th></tr></thead><tbody>
<tr><td>Apps and pages, under <code>/sdk/v1</code></td><td><code>X-CF-Key</code>, and <code>X-CF-Device</code> with the id of the installation</td><td><a href="#createAppKey">an application key</a>; live and test keys see people and content of their environment</td></tr>
<tr><td>Build pipelines</td><td><code>X-CF-Write-Key</code></td><td><a href="#createWriteKey">a write key</a></td></tr>
<tr><td>Servers that read people</td><td><code>X-CF-Read-Key</code></td><td><a href="#createReadKey">a read key</a></td></tr>
<tr><td>People and programs, under <code>/api/v1</code></td><td><code>Authorization: Bearer …</code> and the workspace in <code>X-Tenant-Id</code></td><td><a href="#logIn">a sign-in</a>, or <a href="#createToken">a token of a service account</a></td></tr>
<tr><td>Whoever runs the server</td><td><code>X-CF-Operator-Token</code></td><td>the setting <code>CF_OPERATOR_TOKEN</code></td></tr>
</tbody></table>
<h3>Answers</h3>
<p>Bodies are JSON. A success is <code>{"success": true, "data": …}</code>. A refusal is <code>{"success": false, "error": "…", "code": "…"}</code>: <code>error</code> is for people and may change, <code>code</code> is for programs and stays. A few answers below 400 say <code>"success": false</code> as well, so look at both. <a href="/guide/reference/errors">All codes</a></p>
<h3>Limits</h3>
<p>A workspace has a rate of requests a minute, which answers under <code>/sdk/v1</code> tell in <code>X-RateLimit-Limit</code> and <code>X-RateLimit-Remaining</code>. 429 is too much, 503 is something away or busy; both come with <code>Retry-After</code>. <a href="/guide/reference/limits">All limits</a></p>
<h3>Lists</h3>
<p>A list takes <code>limit</code> and <code>cursor</code>. <code>metadata.total</code> counts all entries, and <code>metadata.nextCursor</code> is the cursor of the next page, null on the last. A cursor is of one list with its filters.</p>
<h3>Sending again</h3>
<p>Reads, PUT and DELETE may be sent again. A POST of the management API takes an <code>Idempotency-Key</code>: sent again with the same key within 24 hours it does nothing twice and gets the first answer, with <code>Idempotent-Replay: true</code>. An event takes an <code>eventId</code>.</p>
<h3>Versions</h3>
<p>An <code>ETag</code> sent back as <code>If-None-Match</code> answers 304 while nothing changed. Sent as <code>If-Match</code> with a change it answers 412 when somebody else was faster.</p></section>`

const SENT = `<p>An endpoint that was added by <a href="#createWebhook">POST /webhooks</a> gets one POST for each event that it chose, signed with its secret. Check <code>X-CF-Signature</code> over the raw body, refuse old timestamps, do nothing twice for one <code>id</code>, and answer 2xx within ten seconds. Everything else is sent again after 10 seconds, 1 minute, 5 minutes, 30 minutes and 2 hours.</p>`

function renderScript(script: string | undefined): string {
  if (script === undefined) return ''
  return `<section id="client-script" class="group"><h2>The client as a script</h2><p>For pages without a bundler; <code>ContentFlow.createClient</code> is the client. The browser loads it only while it has this hash.</p><pre tabindex="0">${text(script)}</pre></section>\n`
}

function slug(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
