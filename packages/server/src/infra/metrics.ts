/** What an operator watches, in the Prometheus text format at /metrics. No label ever holds an id of a person or a key. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Registry } from '@prometheus-io/client'

type Tally = { route: string; code: string; count: number }

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const loopDelay = monitorEventLoopDelay({ resolution: 20 })
  loopDelay.enable()
  new Gauge({
    name: 'eventloop_lag_seconds',
    help: 'Event loop delay since the last scrape',
    labelNames: ['quantile'],
    registers,
    collect() {
      this.set({ quantile: '0.5' }, loopDelay.percentile(50) / 1e9)
      this.set({ quantile: '0.99' }, loopDelay.percentile(99) / 1e9)
      loopDelay.reset()
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  const addressOverRate = { count: 0 }
  const workspaceOverRate = { count: 0 }
  new Counter({
    name: 'rate_limited_total',
    help: 'Requests over a rate; those of an address are refused only when enforcement is on',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset()
      this.inc({ limit: 'address' }, addressOverRate.count)
      this.inc({ limit: 'workspace' }, workspaceOverRate.count)
    },
  })
  const tallies = new Map<string, Tally>()
  new Counter({
    name: 'http_requests_total',
    help: 'Answered requests',
    labelNames: ['route', 'code'],
    registers,
    collect() {
      this.reset()
      for (const { route, code, count } of tallies.values()) this.inc({ route, code }, count)
    },
  })
  return {
    registry,
    /** The count of a route and status; a hot route looks it up once and adds to it. */
    request: (route: string, code: number): Tally => {
      const name = `${route} ${code}`
      const tally = tallies.get(name) ?? { route, code: String(code), count: 0 }
      tallies.set(name, tally)
      return tally
    },
    authFailures: new Counter({ name: 'auth_failures_total', help: 'Refused credentials', labelNames: ['reason'], registers }),
    keyValidationUnavailable: new Counter({
      name: 'key_validation_unavailable_total',
      help: 'Requests answered 503 because a key could not be checked',
      registers,
    }),
    addressOverRate,
    workspaceOverRate,
    staleServed: new Counter({
      name: 'sync_stale_reload_failures_total',
      help: 'Reloads of content that failed while the last known content went on being served',
      registers,
    }),
    outbound: new Counter({
      name: 'outbound_requests_total',
      help: 'Calls of other machines by what they were for and what came of them',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    streamClients: new Gauge({ name: 'sse_connections', help: 'Open streams', registers }),
    streamDropped: new Counter({ name: 'sse_dropped_total', help: 'Streams ended by the server', labelNames: ['why'], registers }),
  }
}
