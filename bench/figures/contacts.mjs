/** POST /users/bulk/contacts with 5,000 people, against one statement that upserts the same rows into a bare table. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, spread } from '../lib/stats.mjs'

const PEOPLE = 5_000
const RATIO = 10

export const contactsFigure = { name: 'contacts-5000', run: measure }

async function measure(options) {
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    const bare = new pg.Client({ connectionString: databaseUrl })
    await bare.connect()
    try {
      await bare.query(`create table bare_people (id text primary key, email text not null, phone text not null, country text not null,
        channels jsonb not null, at timestamptz not null)`)
      const found = { fill: [], again: [] }
      // The first round warms up.
      for (let round = 0; round <= options.rounds; round++) {
        await options.quiet()
        for (const kind of ['fill', 'again']) {
          const times = await takeTurns(round, workspace, bare, peopleOf(round, kind))
          if (round > 0) found[kind].push(times)
        }
      }
      return [describe('fill', found), describe('again', found)]
    } finally {
      await bare.end()
    }
  })
}

/** New people in every round; `again` changes all of them. */
function peopleOf(round, kind) {
  return Array.from({ length: PEOPLE }, (_, i) => ({
    userId: `user-${round}-${i}`,
    email: `${kind}-${round}-${i}@example.com`,
    phone: `+9665${String(10_000_000 + i)}`,
    country: i % 4 === 0 ? 'AE' : 'SA',
    consent: { push: kind === 'fill', email: i % 2 === 0 },
  }))
}

async function takeTurns(round, workspace, bare, people) {
  const times = {}
  const sides = { ours: () => load(workspace, people), bare: () => upsert(bare, people) }
  for (const side of round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']) {
    const began = performance.now()
    await sides[side]()
    times[side] = performance.now() - began
  }
  return times
}

async function load({ admin }, contacts) {
  const { status, data } = await admin.post('/users/bulk/contacts', { contacts })
  assert.deepEqual([status, data.processed, data.errorCount], [200, PEOPLE, 0])
}

async function upsert(bare, people) {
  const rows = people.map(({ userId, consent, ...others }) => ({ id: userId, channels: consent, ...others }))
  const { rowCount } = await bare.query(
    `insert into bare_people select id, email, phone, country, channels, $2
      from jsonb_to_recordset($1) as row (id text, email text, phone text, country text, channels jsonb)
      on conflict (id) do update set email = excluded.email, phone = excluded.phone, country = excluded.country,
        channels = excluded.channels, at = excluded.at`,
    [JSON.stringify(rows), new Date()],
  )
  assert.equal(rowCount, PEOPLE)
}

function describe(kind, found) {
  const ratios = found[kind].map(({ ours, bare }) => ours / bare)
  const side = (name) => ms(median(found[kind].map((times) => times[name])))
  const isFill = kind === 'fill'
  return {
    name: isFill ? 'contacts-5000' : 'contacts-5000-again',
    what: `One load of ${count(PEOPLE)} contacts, all of them ${isFill ? 'new' : 'known and changed'}: time`,
    target: { most: RATIO },
    value: median(ratios),
    spread: spread(ratios),
    ours: side('ours'),
    limit: `${side('bare')}, one upsert of the rows into a table with nothing but a key`,
    made: isFill
      ? [
          'Email, phone, country and two consent flags each; the product reads every row, keeps to the plan, and writes each changed flag into the ledger.',
          'No segments: for so many people those are worked out behind the answer.',
        ]
      : ['From the same rounds; one flag changes.'],
  }
}
