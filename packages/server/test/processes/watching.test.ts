/** What an operator watches: the series of /metrics, the dashboard and the alerts made of them, and one id for a request. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectStatus } from '../builders/builders.ts'
import { documentedMembers, writtenMembers } from '../isolation/log-members.ts'
import { startApp } from '../harness/start-app.ts'

const { workspace, url, operator } = await startApp()
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

const scrape = async () => (await fetch(`${url}/metrics`)).text()
/** The value of the series that begins so. */
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? NaN,
  )

/** Every name a query may use: of a histogram, its three. */
function exported(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    ),
  )
}

/** The names in a query that are series of this server. */
const named = (query: string) => query.match(/\b(contentflow|process)_\w+/g) ?? []

test('requests, durations and streams are counted by route pattern', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'first' } })
  await ws.blocks()
  await ws.blocks()
  expectStatus(await ws.admin.get(`/blocks/promo/instances/${id}`), 200)
  assert.equal((await fetch(`${url}/nowhere`)).status, 404)
  const text = await scrape()
  const sync = '{method="GET",route="/sdk/v1/sync"'
  assert.ok(valueOf(text, `contentflow_http_requests_total${sync},code="200"}`) >= 2)
  const count = valueOf(text, `contentflow_http_request_duration_seconds_count${sync}}`)
  assert.ok(count >= 2)
  assert.equal(valueOf(text, 'contentflow_http_request_duration_seconds_bucket{method="GET",route="/sdk/v1/sync",le="+Inf"}'), count)
  assert.match(text, /http_requests_total\{method="GET",route="unmatched",code="404"\} 1/)
  assert.ok(!text.includes(id) && !text.includes(ws.id), 'no label holds an id')
  assert.ok(valueOf(text, 'contentflow_cache_bytes{cache="answers"}') > 0)
  assert.ok(valueOf(text, 'contentflow_database_connections_max') >= 1)
  assert.ok(valueOf(text, 'contentflow_event_loop_delay_seconds_count') >= 0)
})

test('the dashboard and the alerts name only series that are exported', async () => {
  const names = exported(await scrape())
  const dashboard = JSON.parse(readFileSync(`${ROOT}ops/grafana/contentflow.json`, 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
    templating: { list: { query: string }[] }
  }
  const queries = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
    readFileSync(`${ROOT}ops/prometheus/contentflow.rules.yml`, 'utf8'),
  ]
  const used = new Set(queries.flatMap(named))
  assert.ok(used.size >= 30)
  assert.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  )
})

test('docs/operations.md says of every series what it is', async () => {
  const manual = readFileSync(`${ROOT}docs/operations.md`, 'utf8')
  const series = [...(await scrape()).matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
  assert.deepEqual(
    series.filter((name) => !manual.includes(`\`${name}\``)),
    [],
  )
})

test('docs/operations.md says of every member of the log what it is, and of none that nothing writes', () => {
  const sources = globSync('src/**/*.ts', { cwd: `${ROOT}packages/server` }).filter((file) => !file.endsWith('.test.ts'))
  const written = sources.flatMap((file) => writtenMembers(file, readFileSync(`${ROOT}packages/server/${file}`, 'utf8')))
  assert.ok(written.length > 50)
  // Every line has the first three; the log itself adds the fourth.
  assert.deepEqual([...new Set(['level', 'time', 'msg', 'requestId', ...written])].toSorted(), [...documentedMembers()].toSorted())
})

test('due work is counted of every kind, without being done', async () => {
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'backlog' }), 200)
  const kinds = [...(await scrape()).matchAll(/contentflow_due_oldest_seconds\{kind="([\w-]+)"\} \d/g)].map(([, kind = '']) => kind)
  for (const kind of [
    'publications',
    'dispatch',
    'journeys',
    'campaigns',
    'webhooks',
    'erasures',
    'event-counts',
    'imports',
    'media',
    'segments',
  ])
    assert.ok(kinds.includes(kind), `${kind} of ${kinds.join(', ')}`)
})

test('a request has one id: in its answer, and in that of a refusal', async () => {
  const ids = await Promise.all(
    ['/healthz', '/nowhere', '/sdk/v1/identify', '/api/v1/me'].map(async (path) => (await fetch(url + path)).headers.get('x-request-id')),
  )
  assert.ok(
    ids.every((id) => /^[0-9a-f]{8}-\d+$/.test(id ?? '')),
    String(ids),
  )
  assert.equal(new Set(ids).size, ids.length)
})
