/** A picture of twelve megapixels made smaller, again and again: what readers of content notice, and what it takes of memory. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePhoto, uploadFile } from '../../packages/server/test/builders/files.ts'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { residentBytes } from '../lib/processes.mjs'
import { openWorkspace, startProduct } from '../lib/product.mjs'
import { median, ms, quantile, spread } from '../lib/stats.mjs'
import { memoryRow, openReader, watched } from '../lib/watched.mjs'

const [WIDTH, HEIGHT] = [4_000, 3_000]
/** Each is made once and kept, so that every one is work. */
const WIDTHS = [320, 640, 960, 1_280, 1_600, 1_920]
const [READ_MS, MEMORY_MB] = [50, 300]
const READS_A_SECOND = 100

export const pictureFigure = { name: 'picture', run: measure }

async function measure(options) {
  const database = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'contentflow-bench-'))
  const product = await startProduct(database.env, { profile: options.profile, env: { CF_MEDIA_DIR: folder } })
  const closing = [() => product.stop()]
  try {
    const workspace = await openWorkspace(product.url)
    const { read, close } = await openReader(product, workspace.live, READS_A_SECOND)
    closing.push(close)
    const picture = await makePhoto(WIDTH, HEIGHT)
    const found = { idle: [...(await read()), ...(await read())], seen: [], took: [], before: residentBytes(product.pid) }
    for (let round = 0; round < Math.min(options.rounds, 5); round++) {
      await options.quiet()
      found.seen.push(await watched(() => makeSmaller(product, workspace, picture, found.took), product.pid, read))
    }
    return describe(found)
  } finally {
    await Promise.all(closing.map((close) => close()))
    await Promise.all([database.remove(), rm(folder, { recursive: true, force: true })])
  }
}

async function makeSmaller({ url }, workspace, picture, took) {
  const { contentId } = await uploadFile(await workspace.editor(), picture, 'bench.jpg', 'image/jpeg')
  for (const width of WIDTHS) {
    const began = performance.now()
    const answer = await fetch(`${url}/api/v1/content/${contentId}/raw?w=${width}`, { headers: { accept: 'image/avif,image/webp' } })
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
    took.push(performance.now() - began)
  }
}

function describe({ idle, seen, took, before }) {
  const longest = seen.map(({ times }) => Math.max(...times))
  const all = seen.flatMap(({ times }) => times)
  return [
    {
      name: 'picture',
      what: 'Longest read of /sync while a picture of 12 megapixels is uploaded and made smaller in six widths',
      target: { most: READ_MS, unit: 'ms' },
      value: Math.max(...longest),
      spread: spread(longest, 1),
      ours: `${ms(Math.max(...longest))}, p99 ${ms(quantile(all, 0.99))}, median ${ms(median(all))}`,
      limit: `${ms(Math.max(...idle))}, p99 ${ms(quantile(idle, 0.99))}, median ${ms(median(idle))}, with nothing to do`,
      made: [
        `${READS_A_SECOND} reads a second; a width took ${ms(median(took))} (median; longest ${ms(Math.max(...took))}), all on the one core of the server.`,
      ],
    },
    memoryRow('picture-memory', 'meanwhile', seen, before, MEMORY_MB),
  ]
}
