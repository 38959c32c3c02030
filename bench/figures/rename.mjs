/** Renaming a segment that a whole workspace of content is for, with that content; and how long another's save waits meanwhile. */
import assert from 'node:assert/strict'
import { sleep } from '../lib/processes.mjs'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, spread } from '../lib/stats.mjs'

const USES = 2_000
const RENAME_MS = 1_000
/** After which a rename holds the content of its workspace. */
const BEHIND_MS = 30

export const renameFigure = { name: 'rename', run: measure }

async function measure(options) {
  return withProduct(options, async ({ url }) => {
    const workspace = await openWorkspace(url)
    const sides = { used: await makeSegment(workspace, 'used', USES), unused: await makeSegment(workspace, 'unused', 0) }
    await workspace.block('beside')
    const beside = await workspace.instance('beside', { values: { '#title': 'Beside' } })
    const found = { used: [], unused: [], saves: [] }
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const times = { unused: await rename(workspace, sides.unused, round) }
      const renaming = rename(workspace, sides.used, round)
      await sleep(BEHIND_MS)
      times.saves = await save(workspace, beside, round)
      times.used = await renaming
      if (round > 0) for (const side of Object.keys(found)) found[side].push(times[side])
    }
    return [describe(found)]
  })
}

async function makeSegment({ admin, write }, key, uses) {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  const { status, data } = await admin.post('/segments', { name: key, logicalOperator: 'AND', rules })
  assert.equal(status, 201)
  if (uses === 0) return { id: data.id, uses }
  const instances = Array.from({ length: uses }, (_, index) => ({
    externalId: `${key}-${index}`,
    title: `Offer ${index}`,
    seg: key,
    status: 'live',
    values: { '#title': `Offer ${index}, as good as any` },
  }))
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  assert.equal((await write.post('/cards/sync', { blocks: [{ key, name: key, screen: 'home', fields, instances }] })).status, 200)
  return { id: data.id, uses }
}

/** Milliseconds to the answer, after which every use has the new name. */
async function rename({ admin }, { id, uses }, round) {
  const began = performance.now()
  const { status, data, text } = await admin.put(`/segments/${id}`, { name: `${id} ${round}`, renameUses: true })
  const took = performance.now() - began
  assert.equal(status, 200, text)
  assert.equal(data.usedBy.instanceCount, uses)
  return took
}

/** A save of other content of the workspace, which comes after the rename: content is written one change after another. */
async function save({ admin }, { blockKey, id }, round) {
  const began = performance.now()
  const { status } = await admin.put(`/blocks/${blockKey}/instances/${id}`, { values: { '#title': `Round ${round}` } })
  assert.equal(status, 200)
  return performance.now() - began
}

function describe({ used, unused, saves }) {
  return {
    name: 'rename-2000',
    what: `Renaming a segment with the ${count(USES)} live instances that are for it`,
    target: { most: RENAME_MS, unit: 'ms' },
    value: median(used),
    spread: spread(used, 0),
    ours: ms(median(used)),
    limit: `${ms(median(unused))}, a segment that nothing is for`,
    made: [
      'One transaction: a new revision of each, its pointers moved, the history written; served under the new name when it is answered.',
      `A save of other content of the workspace, sent ${BEHIND_MS} ms later, took ${ms(median(saves))}.`,
    ],
  }
}
