/**
 * What an operator watches, in the Prometheus text format at /metrics; docs/operations.md says what each is for. Every
 * label has few values: route patterns, kinds, states. None ever holds an id of a workspace, of a person or of a key.
 */
import { Counter, Gauge, Registry } from '@prometheus-io/client'
import { DurationHistogram, type Durations } from './durations.ts'
import { watchProcess } from './metrics-process.ts'

/** Answers of one route and status. `took` is of the route, whatever the status. */
export type Tally = { method: string; route: string; code: string; count: number; took: Durations }
/** Work of one kind that could be taken just now, and how long the longest of it has been due, seconds. */
type Backlog = { rows: number; oldestSeconds: number }
type Pool = { total: number; idle: number; waiting: number; most: number }

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const stopWatching = watchProcess(registers)
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `contentflow_${name}`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `contentflow_${name}`, help, labelNames, registers })
  const durations = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new DurationHistogram({ name: `contentflow_${name}`, help, labelNames, registers })
  return {
    registry,
    close: stopWatching,
    ...countRequests(registers),
    ...readGauges(registers),
    replacedTexts: counter(
      'replaced_texts_total',
      'Texts of bodies that had a NUL or half of a surrogate pair, in whose place U+FFFD was taken',
    ),
    authFailures: counter('auth_failures_total', 'Refused credentials', 'reason'),
    auditedApart: counter('audited_apart_total', 'Entries of the audit log in a transaction of their own, by route', 'action'),
    keyValidationUnavailable: counter('key_validation_unavailable_total', 'Requests answered 503 because a key could not be checked'),
    staleServed: counter('stale_reloads_total', 'Reloads of content that failed while the last known content went on being served'),
    outbound: counter('outbound_requests_total', 'Calls of other machines by what they were for and what came of them', 'kind', 'outcome'),
    outboundTook: durations('outbound_duration_seconds', 'Calls of other machines, waiting for their turn included', 'kind'),
    streamClients: gauge('streams', 'Open streams'),
    streamOpened: counter('streams_opened_total', 'Streams that were opened'),
    streamsMax: gauge('streams_max', 'Streams this process may have open'),
    streamRefused: counter('streams_refused_total', 'Streams that were refused because there is no room, by whose share was full', 'of'),
    connectionsRefused: counter('connections_refused_total', 'Connections closed as they came, by whose share was full', 'of'),
    streamDropped: counter('streams_dropped_total', 'Streams ended by the server', 'why'),
    sends: counter('sends_total', 'Messages to people by what came of them; again: it is tried once more', 'channel', 'outcome'),
    responses: counter(
      'responses_total',
      'Links and pictures of messages that were asked for, and whether this server made them',
      'kind',
      'outcome',
    ),
    responsesDropped: counter('responses_dropped_total', 'Openings and clicks that could not be written and are not counted'),
    behaviourDrift: counter(
      'behaviour_drift_total',
      'People whose histories, which rules on events go by, are not what their events say; a few are looked at every day',
    ),
    dueWorked: counter('due_worked_total', 'Rows of due work that were claimed here and worked on', 'kind'),
    dueFailed: counter('due_failures_total', 'Batches of due work, or single rows, that failed and are tried again', 'kind'),
    dueTook: durations('due_batch_duration_seconds', 'Batches of due work', 'kind'),
  }
}

/** Counted in plain objects, which a hot route looks up once and adds to. */
function countRequests(registers: Registry[]) {
  const tallies = new Map<string, Tally>()
  const took = new DurationHistogram({
    name: 'contentflow_http_request_duration_seconds',
    help: 'From the arrival of a request until its answer is handed to the connection; streams and answers from memory without one',
    labelNames: ['method', 'route'],
    registers,
  })
  new Counter({
    name: 'contentflow_http_requests_total',
    help: 'Answered requests by route pattern',
    labelNames: ['method', 'route', 'code'],
    registers,
    collect() {
      this.reset()
      for (const { method, route, code, count } of tallies.values()) this.inc({ method, route, code }, count)
    },
  })
  const addressOverRate = { count: 0 }
  const workspaceOverRate = { count: 0 }
  new Counter({
    name: 'contentflow_rate_limited_total',
    help: 'Requests over a rate; those of an address are refused only when enforcement is on',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset()
      this.inc({ limit: 'address' }, addressOverRate.count)
      this.inc({ limit: 'workspace' }, workspaceOverRate.count)
    },
  })
  return {
    addressOverRate,
    workspaceOverRate,
    /** The tally of a route pattern and status; both client roots are one. */
    request: (method: string, pattern: string, code: number): Tally => {
      const route = pattern.replace(/^\/api\/v1\/sdk(?=\/)/, '/sdk/v1')
      const name = `${method} ${route} ${code}`
      const known = tallies.get(name) ?? { method, route, code: String(code), count: 0, took: took.of({ method, route }) }
      tallies.set(name, known)
      return known
    },
  }
}

/** What is asked for at each scrape, of whoever knows. */
function readGauges(registers: Registry[]) {
  const caches = new Map<string, { unit: 'bytes' | 'entries'; read: () => number }>()
  for (const unit of ['bytes', 'entries'] as const)
    new Gauge({
      name: unit === 'bytes' ? 'contentflow_cache_bytes' : 'contentflow_cache_entries',
      help: unit === 'bytes' ? 'Bytes held in memory, about' : 'What is held in memory, by number',
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [cache, { unit: its, read }] of caches) if (its === unit) this.set({ cache }, read())
      },
    })
  const backlogs = new Map<string, Backlog>()
  new Gauge({
    name: 'contentflow_due_rows',
    help: 'Rows of due work that wait to be taken, of the whole installation, up to 10,000; looked at every minute',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, { rows }] of backlogs) this.set({ kind }, rows)
    },
  })
  new Gauge({
    name: 'contentflow_due_oldest_seconds',
    help: 'How long the longest waiting of these rows has been due; 0 when nothing waits',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, { oldestSeconds }] of backlogs) this.set({ kind }, oldestSeconds)
    },
  })
  let readPool = (): Pool => ({ total: 0, idle: 0, waiting: 0, most: 0 })
  const pool = (name: string, help: string, read: (pool: Pool) => number) =>
    new Gauge({
      name: `contentflow_database_${name}`,
      help,
      registers,
      collect() {
        this.set(read(readPool()))
      },
    })
  pool('connections_in_use', 'Connections of the pool that serve somebody', ({ total, idle }) => total - idle)
  pool('connections_max', 'Connections the pool may have', ({ most }) => most)
  pool('waiting', 'Requests and work that wait for a connection', ({ waiting }) => waiting)
  return {
    /** `read` is asked at each scrape. */
    watchCache: (cache: string, unit: 'bytes' | 'entries', read: () => number) => void caches.set(cache, { unit, read }),
    watchPool: (read: () => Pool) => {
      readPool = read
    },
    setBacklog: (kind: string, backlog: Backlog) => void backlogs.set(kind, backlog),
  }
}
