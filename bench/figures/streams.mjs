/** Open streams on one process: what each costs in memory, and how soon the last one hears of a publish. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { record, startBare } from '../lib/bare.mjs'
import { ask, cpuSeconds, LOAD_CORE, residentBytes, sleep, startProgram, stop } from '../lib/processes.mjs'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'

const STREAMS = 10_000
const WARM_STREAMS = 1_000
const KILOBYTES = 30
const RATIO = 1.5
const PAUSE_MS = 250
/** Before each so many the machine may become quiet. */
const PUBLISHES_IN_A_ROW = 5
/** How long a process gets to tidy its memory before it is looked at. */
const SETTLE_MS = 5_000

export const streamsFigure = { name: 'streams', run: measure }

async function measure(options) {
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  const streams = options.isQuick ? WARM_STREAMS : STREAMS
  const publishes = options.isQuick ? 20 : Math.max(20, options.rounds * 15)
  try {
    return await withProduct(options, async (product) => {
      const workspace = await openWorkspace(product.url)
      await workspace.block('promo')
      const instance = await workspace.instance('promo')
      await workspace.blocks()
      let saves = 0
      const save = () => workspace.saveRequest(instance, `text ${++saves}`)
      const streamHeaders = { 'x-cf-key': workspace.live }
      const bare = await startBare('streams', await record(`${product.url}/sdk/v1/stream`, streamHeaders, { isStream: true }), folder)
      const opening = `GET /sdk/v1/stream HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${workspace.live}\r\n\r\n`
      const notify = () => 'POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 0\r\n\r\n'

      const ours = await hold(product, opening, save, streams)
      const limit = await hold(bare, opening, notify, streams)
      const told = { ours: [], limit: [] }
      const used = { ours: ours.watch(), limit: limit.watch() }
      for (let i = 0; i < publishes; i++) {
        if (i % PUBLISHES_IN_A_ROW === 0) await options.quiet()
        told.ours.push(await ours.publish())
        told.limit.push(await limit.publish())
      }
      const memory = { ours: ours.grown(), limit: limit.grown() }
      const cpu = { ours: used.ours(publishes), limit: used.limit(publishes) }
      const rows = [describeMemory(streams, ours, limit, memory), describePublish(streams, ours, told, cpu)]
      await Promise.all([ours.end(), limit.end()])
      await bare.stop()
      return rows
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens the streams on a warmed-up server. `request` makes the bytes of a publish. */
async function hold(server, opening, request, streams) {
  const newHolder = () => startProgram('stream-holder.mjs', [], { core: LOAD_CORE, ipc: true })
  const publishBy = async (holder) => {
    const times = await ask(holder, { type: 'publish', port: server.port, request: request() })
    await sleep(PAUSE_MS)
    return times
  }
  const warming = newHolder()
  const alone = []
  for (let i = 0; i < 30; i++) alone.push((await publishBy(warming)).answered)
  await ask(warming, { type: 'open', port: server.port, request: opening, count: WARM_STREAMS })
  for (let i = 0; i < 5; i++) await publishBy(warming)
  await stop(warming)
  await sleep(SETTLE_MS)

  const before = residentBytes(server.pid)
  const holder = newHolder()
  const { milliseconds } = await ask(holder, { type: 'open', port: server.port, request: opening, count: streams })
  await sleep(SETTLE_MS)
  const opened = residentBytes(server.pid) - before
  return {
    alone,
    /** Processor milliseconds of both sides since now, by publish. */
    watch: () => {
      const pids = { server: server.pid, holder: holder.pid }
      const began = Object.values(pids).map(cpuSeconds)
      return (publishes) => Object.values(pids).map((pid, i) => ((cpuSeconds(pid) - began[i]) / publishes) * 1000)
    },
    openedPerSecond: (streams / milliseconds) * 1000,
    before,
    opened,
    /** Growth by now. */
    grown: () => residentBytes(server.pid) - before,
    publish: () => publishBy(holder),
    end: () => stop(holder),
  }
}

function describeMemory(streams, ours, limit, memory) {
  const each = (bytes) => bytes / 1024 / streams
  const most = Math.max(ours.opened, memory.ours)
  return {
    name: 'streams-memory',
    what: `Resident memory of ${count(streams)} open streams, each`,
    target: { most: KILOBYTES, unit: 'kB' },
    value: each(most),
    ours: `${each(most).toFixed(1)} kB each`,
    limit: `${each(Math.max(limit.opened, memory.limit)).toFixed(1)} kB each, bare node:http`,
    made: [
      `Before: ${count(ours.before / 1024)} kB after ${count(WARM_STREAMS)} streams came and went. The worse of two looks counts: just opened ${each(ours.opened).toFixed(1)} kB each, after the publishes ${each(memory.ours).toFixed(1)} kB each (bare: ${each(limit.opened).toFixed(1)} and ${each(memory.limit).toFixed(1)}).`,
      `Opened ${count(ours.openedPerSecond)} streams/s, bare ${count(limit.openedPerSecond)}.`,
    ],
  }
}

function describePublish(streams, { alone }, told, cpu) {
  const last = (side) => told[side].map((times) => times.last)
  const p99 = { ours: quantile(last('ours'), 0.99), limit: quantile(last('limit'), 0.99) }
  const ratios = told.ours.map((times, i) => times.last / told.limit[i].last)
  const save = median(alone)
  return {
    name: 'streams-publish',
    what: `From sending a publish to the last of ${count(streams)} streams, p99`,
    target: { most: RATIO },
    value: p99.ours / p99.limit,
    spread: spread(ratios),
    ours: ms(p99.ours),
    limit: `${ms(p99.limit)}, bare node:http`,
    made: [
      `${told.ours.length} publishes each, in turn; the spread is that of single pairs, their median ${median(ratios).toFixed(2)}. Medians: ${ms(median(last('ours')))}, bare ${ms(median(last('limit')))}.`,
      `The save itself takes ${ms(save)} without streams (median; p99 ${ms(quantile(alone, 0.99))}). Without it the ratio is ${((p99.ours - save) / p99.limit).toFixed(2)}.`,
      `First stream told after ${ms(median(told.ours.map((times) => times.first)))}, bare ${ms(median(told.limit.map((times) => times.first)))}; the publish is answered after ${ms(median(told.ours.map((times) => times.answered)))}, bare ${ms(median(told.limit.map((times) => times.answered)))}.`,
      `Processor time of a publish: server ${ms(cpu.ours[0])}, who holds its streams ${ms(cpu.ours[1])}; bare ${ms(cpu.limit[0])} and ${ms(cpu.limit[1])}.`,
    ],
  }
}
