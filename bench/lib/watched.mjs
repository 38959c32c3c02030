/** What others notice of some work: how long their reads take meanwhile, and the most memory the process holds. */
import { ask, LOAD_CORE, residentBytes, sleep, startProgram, stop } from './processes.mjs'
import { megabytes } from './stats.mjs'

const SLICE_SECONDS = 2
/** Every so often the memory is looked at. */
const LOOK_MS = 20

/** Reads /sync with this key at a steady pace. `read` resolves with the times of two seconds of it. */
export async function openReader({ port }, key, perSecond) {
  const program = startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })
  const request = `GET /sdk/v1/sync HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${key}\r\n\r\n`
  const read = async () => (await ask(program, { type: 'send', port, requests: [request], perSecond, seconds: SLICE_SECONDS })).times
  // The first ones warm up.
  await read()
  return { read, close: () => stop(program) }
}

/** `seconds` the work took, `times` of the reads meanwhile, `most` resident bytes of the process. */
export async function watched(work, pid, read) {
  const seen = { isOver: false, seconds: 0, times: [], most: 0 }
  const reading = async () => {
    while (!seen.isOver) seen.times.push(...(await read()))
  }
  const looking = async () => {
    while (!seen.isOver) {
      seen.most = Math.max(seen.most, residentBytes(pid))
      await sleep(LOOK_MS)
    }
  }
  const timing = async () => {
    const began = performance.now()
    try {
      await work()
    } finally {
      seen.isOver = true
    }
    seen.seconds = (performance.now() - began) / 1_000
  }
  await Promise.all([timing(), reading(), looking()])
  return seen
}

/** The row of what `seen` works took of memory; `when` says during what, `before` is what the process had until then. */
export function memoryRow(name, when, seen, before, mostMb) {
  const most = Math.max(...seen.map((each) => each.most))
  return {
    name,
    what: `Most resident memory of the process ${when}, above what it had before`,
    target: { most: mostMb, unit: 'MB' },
    value: (most - before) / 1024 ** 2,
    spread: '',
    ours: megabytes(most),
    limit: `${megabytes(before)} before`,
    made: [],
  }
}
