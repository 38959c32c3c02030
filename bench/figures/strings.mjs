/** GET /strings with 3,000 keys against a bare server that sends the same bytes, and POST /strings/sync with 2,000 rows. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { record, startBare } from '../lib/bare.mjs'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, percent, spread } from '../lib/stats.mjs'
import { refuseWithoutWrk, writeRequests } from '../lib/wrk.mjs'
import { alternate } from './delivery/sync.mjs'

const KEYS = 3_000
const LOCALES = ['ar', 'fr', 'de']
const TARGET = 0.8
const ROWS = 2_000
const SYNC_MS = 300

export const stringFigures = [
  { name: 'strings-200', run: (options) => measureReads('strings-200', false, options) },
  { name: 'strings-304', run: (options) => measureReads('strings-304', true, options) },
  { name: 'strings-sync', run: measureSync },
]

function rowsOf(total, version = 0) {
  return Array.from({ length: total }, (_, i) => ({
    key: `screen_${i % 40}.text_${i}`,
    namespace: i % 3 === 0 ? 'shop' : 'app',
    sourceText: `Text number ${i} of the application${version === 0 ? '' : ` (${version})`}`,
    values: Object.fromEntries(LOCALES.map((locale) => [locale, `${locale} text number ${i}, version ${version}`])),
  }))
}

async function openCatalog(url, total) {
  const workspace = await openWorkspace(url)
  for (const code of LOCALES) assert.equal((await workspace.admin.post('/locales', { code })).status, 201)
  const rows = rowsOf(total)
  for (let from = 0; from < rows.length; from += ROWS) await sync(workspace, rows.slice(from, from + ROWS))
  return workspace
}

async function sync(workspace, strings) {
  const answer = await workspace.write.post('/strings/sync', { strings })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.success, true, answer.text)
  return answer.data
}

async function measureReads(name, isUnchanged, options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product) => {
      const { live } = await openCatalog(product.url, KEYS)
      const path = '/sdk/v1/strings?locale=ar'
      const first = await record(product.url + path, { 'x-cf-key': live })
      assert.equal(Object.keys(JSON.parse(first.body).data.strings).length, KEYS)
      const asked = { 'x-cf-key': live, ...(isUnchanged && { 'if-none-match': first.etag }) }
      const answer = await record(product.url + path, asked)
      const bare = await startBare('replay', answer, folder)
      assert.deepEqual(await record(bare.url, asked), answer, 'both servers send the same')
      const files = { product: join(folder, 'product'), bare: join(folder, 'bare') }
      const headers = ['X-CF-Key', live, ...(isUnchanged ? ['If-None-Match', first.etag] : [])]
      for (const file of Object.values(files)) writeRequests(file, [[path, ...headers]])
      const measured = await alternate(product, bare, files, options)
      await bare.stop()
      return [describeReads(name, isUnchanged, first.body.length, measured)]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function describeReads(name, isUnchanged, bytes, { rounds, repeated }) {
  const each = (side, member) => rounds.map((round) => round[side][member])
  const ratios = rounds.map(({ product, bare }) => product.perSecond / bare.perSecond)
  const both = (member, text) => `${text(median(each('product', member)))} and ${text(median(each('bare', member)))}`
  return {
    name,
    what: isUnchanged ? 'GET /strings with the tag of its answer: 304' : `GET /strings, ${count(KEYS)} keys, ${count(bytes)} bytes`,
    target: { least: TARGET },
    value: median(ratios),
    spread: spread(ratios),
    ours: `${count(median(each('product', 'perSecond')))} requests/s`,
    limit: `${count(median(each('bare', 'perSecond')))} requests/s, bare node:http`,
    made: [
      `One answer, uncompressed, 64 connections. The servers kept their core ${both('serverShare', percent)} busy (product and bare). ${repeated} disturbed rounds were measured again.`,
    ],
  }
}

async function measureSync(options) {
  return withProduct(options, async (product) => {
    const workspace = await openCatalog(product.url, ROWS)
    const found = { changed: [], again: [] }
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const rows = rowsOf(ROWS, round + 1)
      const times = []
      const answers = []
      for (let time = 0; time < 2; time++) {
        const began = performance.now()
        answers.push(await sync(workspace, rows))
        times.push(performance.now() - began)
      }
      assert.deepEqual([answers[0].updated, answers[1].unchanged, answers[1].translationsWritten], [ROWS, ROWS, 0])
      if (round === 0) continue
      found.changed.push(times[0])
      found.again.push(times[1])
    }
    const made = `${count(ROWS)} rows of a source text and ${LOCALES.length} translations`
    const row = (name, what, times, more) => ({
      name,
      what,
      target: { most: SYNC_MS, unit: 'ms' },
      value: median(times),
      spread: spread(times, 0),
      ours: ms(median(times)),
      limit: 'none',
      made: [more],
    })
    return [
      row(
        'strings-sync',
        `POST /strings/sync, ${count(ROWS)} rows that all change: time`,
        found.changed,
        `${made}; every text differs from what is stored.`,
      ),
      row('strings-sync-again', 'The same again, nothing changed: time', found.again, 'Writes nothing.'),
    ]
  })
}
