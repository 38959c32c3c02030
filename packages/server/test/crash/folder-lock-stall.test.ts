/** Heirs of one dead owner, one of them stalled before each single thing it does to the files: never two have the folder. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { lockFolder } from '../../src/db/folder-lock.ts'

const folders: string[] = []
const heirs: Heir[] = []
after(async () => {
  await Promise.all(heirs.map((heir) => heir.end()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const MODULE = new URL('../../src/db/folder-lock.ts', import.meta.url).href

/** Calls `stall` before the `stallAt`th touch of a file in `folder`, then asks for the lock. */
const ASK = `
const fs = require('node:fs')
let touches = 0
for (const name of ['readFileSync', 'writeFileSync', 'linkSync', 'renameSync', 'rmSync', 'readdirSync']) {
  const real = fs[name]
  fs[name] = (...args) => {
    if (String(args[0]).startsWith(folder) && ++touches === stallAt) stall(name)
    return real(...args)
  }
}
require('node:module').syncBuiltinESMExports()
const asking = import('${MODULE}').then(({ lockFolder }) => lockFolder(folder))
`
const IN_THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { gate, stallAt, folder } = workerData
function stall(name) {
  parentPort.postMessage({ stalled: name })
  Atomics.wait(gate, 0, 0)
}
${ASK}
asking.then(
  (unlock) => {
    parentPort.postMessage({ result: 'has it' })
    parentPort.on('message', () => {
      unlock()
      parentPort.postMessage({ released: true })
    })
  },
  (error) => parentPort.postMessage({ result: error.message }),
)`
const IN_PROCESS = `
const stallAt = Number(process.argv[1])
const folder = process.argv[2]
function stall(name) {
  fs.writeSync(1, name)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
${ASK}
asking.then(() => process.exit())`

class Heir {
  readonly #worker: Worker
  readonly #gate = new Int32Array(new SharedArrayBuffer(4))
  readonly #stalled = Promise.withResolvers<string | undefined>()
  readonly #result = Promise.withResolvers<string>()
  readonly #released = Promise.withResolvers<void>()
  /** What it stalled before; undefined when it came to its result without. */
  readonly stalled = this.#stalled.promise
  /** `has it`, or why not. */
  readonly result = this.#result.promise

  constructor(folder: string, stallAt = 0) {
    heirs.push(this)
    this.#worker = new Worker(IN_THREAD, { eval: true, workerData: { gate: this.#gate, stallAt, folder } })
    this.#worker.on('message', ({ stalled, result, released }) => {
      if (stalled) this.#stalled.resolve(stalled)
      if (result) this.#stalled.resolve(undefined)
      if (result) this.#result.resolve(result)
      if (released) this.#released.resolve()
    })
    this.#worker.on('error', (error) => this.#result.resolve(String(error)))
  }
  letGoOn(): void {
    Atomics.store(this.#gate, 0, 1)
    Atomics.notify(this.#gate, 0)
  }
  release(): Promise<void> {
    this.#worker.postMessage('release')
    return this.#released.promise
  }
  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** A folder whose owner is gone: the process id lives on as another process. */
async function makeInheritance(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-heirs-'))
  folders.push(folder)
  const unlock = await lockFolder(folder)
  const text = readFileSync(join(folder, 'contentflow.lock'), 'utf8')
  unlock()
  writeFileSync(join(folder, 'contentflow.lock'), JSON.stringify({ ...JSON.parse(text), startedAt: '1' }))
  return folder
}

const hasIt = async (each: readonly Heir[]) => (await Promise.all(each.map((heir) => heir.result))).filter((result) => result === 'has it')

/** Runs `scenario` with an heir stalled before its first, second, … touch, until one gets through without. Returns what each stalled before. */
async function stallEverywhere(scenario: (folder: string, slow: Heir) => Promise<void>): Promise<string[]> {
  const places: string[] = []
  for (let stallAt = 1; ; stallAt++) {
    const folder = await makeInheritance()
    const slow = new Heir(folder, stallAt)
    const place = await slow.stalled
    if (place === undefined) return places
    places.push(place)
    await scenario(folder, slow)
    await Promise.all(heirs.splice(0).map((heir) => heir.end()))
  }
}

test('an heir that stalls anywhere does not have the folder beside another that came later', async () => {
  const places = await stallEverywhere(async (folder, slow) => {
    const quick = new Heir(folder)
    await quick.result
    slow.letGoOn()
    assert.equal((await hasIt([slow, quick])).length, 1)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('.after-')),
      [],
    )
  })
  assert.ok(places.includes('linkSync') && places.includes('renameSync') && places.length >= 8, places.join())
})

test('nor beside one that came after another had come and gone', async () => {
  await stallEverywhere(async (folder, slow) => {
    const first = new Heir(folder)
    if ((await first.result) === 'has it') await first.release()
    const second = new Heir(folder)
    await second.result
    slow.letGoOn()
    assert.equal((await hasIt([slow, second])).length, 1)
  })
})

test('an heir that is killed anywhere leaves the folder to the next', async () => {
  let places = 0
  for (let stallAt = 1; ; stallAt++) {
    const folder = await makeInheritance()
    const child = spawn(process.execPath, ['--no-warnings', '-e', IN_PROCESS, String(stallAt), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const [output] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer | number]
    if (typeof output === 'number') break
    places++
    child.kill('SIGKILL')
    await ended
    const next = new Heir(folder)
    assert.equal(await next.result, 'has it', `after a death before ${output.toString()}`)
    await next.end()
  }
  assert.ok(places >= 8)
})

test('whoever finds the lock to be no longer theirs is told, once', async () => {
  const folder = await makeInheritance()
  const lost = Promise.withResolvers<Error>()
  let times = 0
  const unlock = await lockFolder(folder, (error) => {
    times++
    lost.resolve(error)
  })
  const other = JSON.stringify({ pid: 1, startedAt: '1', boot: 'b', host: 'another-host', token: 't' })
  writeFileSync(join(folder, 'contentflow.lock'), other)
  assert.match((await lost.promise).message, /Another process has taken the data folder/)
  unlock()
  assert.equal(times, 1)
  assert.equal(readFileSync(join(folder, 'contentflow.lock'), 'utf8'), other, 'what is somebody else’s stays')
})

test('files that unfinished starts left are swept when they are old', async () => {
  const folder = await makeInheritance()
  const [old, fresh] = ['old', 'fresh'].map((name) => join(folder, `contentflow.lock.claim-${name}`)) as [string, string]
  for (const file of [old, fresh]) writeFileSync(file, '{}')
  utimesSync(old, new Date(0), new Date(0))
  const unlock = await lockFolder(folder)
  assert.deepEqual(readdirSync(folder).sort(), ['contentflow.lock', 'contentflow.lock.claim-fresh'])
  unlock()
})
