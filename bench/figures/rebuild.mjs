/** Publishing into a large workspace: how much longer a save takes there, and what readers notice of it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { record, startBare } from '../lib/bare.mjs'
import { ask, LOAD_CORE, sleep, startProgram, stop } from '../lib/processes.mjs'
import { forEach, openWorkspace, withProduct } from '../lib/product.mjs'
import { describePauses, watchPauses } from '../lib/pauses.mjs'
import { fairRounds } from '../lib/quiet.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'

const INSTANCES = 2_000
const BLOCKS = 300
const REBUILD_MS = 50
const READ_MS = 20
const READS_PER_SECOND = 200
const PUBLISHES_PER_SECOND = 10
const SAVES_PER_ROUND = 20

export const rebuildFigure = { name: 'rebuild', run: measure }

async function measure(options) {
  return withProduct(options, async (product) => {
    const large = await fill(product.url, BLOCKS, INSTANCES)
    const tiny = await fill(product.url, 1, 1)
    const saves = { large: [], tiny: [] }
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const times = { large: [], tiny: [] }
      for (let i = 0; i < SAVES_PER_ROUND; i++) {
        times.large.push(await save(large))
        times.tiny.push(await save(tiny))
      }
      // The first round warms up.
      if (round > 0) for (const side of ['large', 'tiny']) saves[side].push(times[side])
    }
    return [describeSaves(saves), describeReads(await readMeanwhile(product, large, options))]
  })
}

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_body', tag: '#body', type: 'text' },
  { id: 'f_image', tag: '#image', type: 'url' },
  { id: 'f_link', tag: '#link', type: 'url' },
]

const contentOf = (number) => ({
  values: {
    '#title': `Offer ${number}, as good as any`,
    '#body': 'lorem ipsum dolor sit amet '.repeat(8),
    '#image': `https://images.example.com/offers/${number}/wide.jpg`,
    '#link': `/offers/${number}`,
  },
  translations: { ar: { '#title': `\u0639\u0631\u0636 ${number}`, '#body': '\u0639\u0631\u0636 \u062e\u0627\u0635 '.repeat(12) } },
})

/** A workspace with published instances, its content in use. */
async function fill(url, blocks, instances) {
  const workspace = await openWorkspace(url)
  const keys = Array.from({ length: blocks }, (_, i) => `promo_${i}`)
  await forEach(keys, (key) => workspace.block(key, { fields: FIELDS }))
  const made = []
  await forEach(Array.from({ length: instances }), async (_, i) => {
    made[i] = await workspace.instance(keys[i % blocks], contentOf(i))
  })
  await workspace.blocks()
  return { workspace, keys, made, saves: 0 }
}

/** Saves the next instance; milliseconds to the answer. What is served right after it must not be older. */
async function save(content, { isChecked = true } = {}) {
  const { workspace, made } = content
  const number = ++content.saves
  const { blockKey, id } = made[number % made.length]
  const text = `Saved ${number}`
  const began = performance.now()
  const { status } = await workspace.admin.put(`/blocks/${blockKey}/instances/${id}`, { values: { '#title': text } })
  const milliseconds = performance.now() - began
  assert.equal(status, 200)
  if (isChecked) assert.ok((await workspace.app.get(`/blocks/${blockKey}`)).text.includes(`"${text}"`))
  return milliseconds
}

/** In each round: a bare server, the product left alone, the product with ten publishes a second. */
async function readMeanwhile(product, content, { rounds, seconds, quiet }) {
  const folder = mkdtempSync(`${tmpdir()}/cf-bench-`)
  const paths = content.keys.map((key) => `/sdk/v1/blocks/${key}`)
  const key = content.workspace.live
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${key}\r\n\r\n`)
  const bare = await startBare('replay', await record(product.url + paths[0], { 'x-cf-key': key }), folder)
  const reader = startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })
  const read = async ({ port }) => (await ask(reader, { type: 'send', port, requests, perSecond: READS_PER_SECOND, seconds })).times
  const measureRound = async () => {
    const round = { bare: await read(bare), quiet: await read(product) }
    const pauses = await watchPauses(product.url)
    const publishing = publishSteadily(content, seconds)
    round.busy = await read(product)
    round.saves = await publishing
    round.pauses = await pauses()
    return round
  }
  await measureRound()
  const found = await fairRounds(rounds, quiet, measureRound, (round) => Math.max(...round.bare, ...round.quiet) < READ_MS)
  await Promise.all([stop(reader), bare.stop()])
  rmSync(folder, { recursive: true, force: true })
  return found
}

async function publishSteadily(content, seconds) {
  const saves = []
  for (let i = 0; i < seconds * PUBLISHES_PER_SECOND; i++) {
    saves.push(save(content, { isChecked: false }))
    await sleep(1000 / PUBLISHES_PER_SECOND)
  }
  return Promise.all(saves)
}

function describeSaves({ large, tiny }) {
  const differences = large.map((times, i) => median(times) - median(tiny[i]))
  const [ours, limit] = [median(large.flat()), median(tiny.flat())]
  return {
    name: 'rebuild-save',
    what: `A save among ${count(INSTANCES)} published instances of ${BLOCKS} block types takes longer than one alone by`,
    target: { most: REBUILD_MS, unit: 'ms' },
    value: median(differences),
    spread: spread(differences, 1),
    ours: ms(ours),
    limit: `${ms(limit)}, a workspace with one instance`,
    made: [
      `A save is answered when its own process serves it; each was read back at once. ${SAVES_PER_ROUND} saves of each workspace a round, in turn; the value is the median of the rounds' differences.`,
      `p99 of single saves: ${ms(quantile(large.flat(), 0.99))}, tiny workspace ${ms(quantile(tiny.flat(), 0.99))}.`,
    ],
  }
}

function describeReads({ rounds, repeated, isEnough }) {
  const each = (side) => rounds.map((round) => round[side])
  const all = (side) => each(side).flat()
  const worst = (side) => Math.max(...all(side))
  const p99 = (side) => quantile(all(side), 0.99)
  return {
    name: 'rebuild-reads',
    what: `Longest GET /blocks/{key} of ${READS_PER_SECOND} a second while ${PUBLISHES_PER_SECOND} publishes a second rebuild those ${count(INSTANCES)} instances`,
    target: { most: READ_MS, unit: 'ms' },
    value: worst('busy'),
    limitValue: worst('bare'),
    spread: spread(
      each('busy').map((times) => Math.max(...times)),
      1,
    ),
    ours: `${ms(worst('busy'))}, p99 ${ms(p99('busy'))}`,
    limit: `${ms(worst('bare'))}, p99 ${ms(p99('bare'))}, bare node:http`,
    made: [
      `The spread is that of the rounds' longest; ${count(all('busy').length)} reads in all. Without publishes the longest took ${ms(worst('quiet'))}, p99 ${ms(p99('quiet'))}.`,
      describePauses(each('pauses')),
      `Median read ${ms(median(all('busy')))}, without publishes ${ms(median(all('quiet')))}, bare ${ms(median(all('bare')))}. A save took ${ms(median(all('saves')))} meanwhile (median).`,
      ...(repeated > 0
        ? [
            `In ${repeated} rounds a read of the bare server or of the product without publishes took as long, so other programs disturbed them; ${isEnough ? 'they were measured again' : 'they count, because too few were not'}.`,
          ]
        : []),
    ],
  }
}
