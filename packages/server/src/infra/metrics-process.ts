/** What is to be known of this process: memory, processor, event loop, garbage collection. Standard series keep their names. */
import { readdirSync } from 'node:fs'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import { DurationHistogram } from './durations.ts'

/** How often the event loop is asked whether it is late. */
const LOOK_MS = 50

const GC_KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
])

/** Answers how to end it. */
export function watchProcess(registers: Registry[]): () => void {
  describeProcess(registers)
  const stopGc = watchGc(registers)
  const stopLoop = watchLoop(registers)
  return () => {
    stopGc()
    stopLoop()
  }
}

function describeProcess(registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time, user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss())
  gauge('process_start_time_seconds', 'When the process began, since 1970', () => performance.timeOrigin / 1000)
  gauge('process_open_fds', 'Open files and connections; 0 where that cannot be read', countOpenFiles)
  gauge('contentflow_heap_used_bytes', 'Memory that JavaScript holds', () => process.memoryUsage().heapUsed)
  gauge('contentflow_external_memory_bytes', 'Memory of buffers, outside the heap', () => process.memoryUsage().external)
}

function countOpenFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

function watchGc(registers: Registry[]): () => void {
  const took = new DurationHistogram({
    name: 'contentflow_gc_duration_seconds',
    help: 'Pauses for the collection of garbage',
    labelNames: ['kind'],
    registers,
  })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail } = entry as typeof entry & { detail?: { kind?: number } }
      took.of({ kind: GC_KINDS.get(detail?.kind ?? 0) ?? 'other' }).note(entry.duration)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

function watchLoop(registers: Registry[]): () => void {
  const late = new DurationHistogram({
    name: 'contentflow_event_loop_delay_seconds',
    help: `How late the event loop comes to a timer, looked at every ${LOOK_MS} ms`,
    labelNames: [],
    registers,
  }).of({})
  let due = performance.now() + LOOK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    late.note(Math.max(0, now - due))
    due = now + LOOK_MS
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
