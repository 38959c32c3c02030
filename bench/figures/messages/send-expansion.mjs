/** An audience written into the ledger, against the same rows by one statement. */
import assert from 'node:assert/strict'
import { insertPeople, sendCampaign, timed, withSender } from '../../lib/sender.mjs'
import { count, median, spread } from '../../lib/stats.mjs'

const PEOPLE = Number(process.env['CF_BENCH_PEOPLE'] ?? 1_000_000)
const QUICK_PEOPLE = 100_000
const EXPANSION_RATIO = 2

export const sendExpansionFigure = { name: 'send-expansion', run: measureExpansion }

async function measureExpansion({ rounds, isQuick, quiet }) {
  const people = isQuick ? Math.min(PEOPLE, QUICK_PEOPLE) : PEOPLE
  return withSender(async (ctx, db) => {
    await insertPeople(db, people)
    await db.query('create table hand_sends (like sends including all)')
    await db.query(`alter table hand_sends add foreign key (workspace_id, profile_id) references profiles (workspace_id, id),
      add foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id)`)
    await db.query('vacuum analyze')
    const found = []
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      await quiet()
      await db.query('truncate sends, hand_sends')
      const sides = { ours: () => sendCampaign(ctx, 'email'), hand: () => byHand(db) }
      const times = {}
      for (const side of round % 2 === 0 ? ['ours', 'hand'] : ['hand', 'ours']) times[side] = await timed(sides[side])
      const { rows } = await db.query('select (select count(*)::int from sends) as ours, (select count(*)::int from hand_sends) as hand')
      assert.deepEqual(rows, [{ ours: people, hand: people }])
      found.push(times)
    }
    const ratios = found.map(({ ours, hand }) => ours / hand)
    const side = (name) => `${median(found.map((times) => times[name])).toFixed(1)} s`
    return [
      {
        name: 'send-expansion',
        what: `${count(people)} people judged and written into the ledger of one message: time`,
        target: { most: EXPANSION_RATIO },
        value: median(ratios),
        spread: spread(ratios),
        ours: side('ours'),
        limit: `${side('hand')}, one insert … select of the same rows`,
        made: ['The limit of 25,000 is lifted. Nobody has a provider, so each line also says so in the end, which is part of the time.'],
      },
    ]
  })
}

let inserts = 0
async function byHand(db) {
  await db.query(
    `insert into dispatches (workspace_id, id, source, source_id, channel, name, message, state, starts_at, created_at, updated_at)
    values ('benchmark', $1, 'campaign', $1, 'email', '', '{}', 'done', now(), now(), now())`,
    [`hand-${++inserts}`],
  )
  await db.query(
    `insert into hand_sends (workspace_id, dispatch_id, profile_id, state, reason, created_at, updated_at)
    select 'benchmark', $1, id, 'failed', 'No active channel configuration found', now(), now() from profiles
    where workspace_id = 'benchmark' and environment = 'live' and not personal_opt_out and channels -> 'email' = 'true' and email <> ''
    order by id`,
    [`hand-${inserts}`],
  )
}
