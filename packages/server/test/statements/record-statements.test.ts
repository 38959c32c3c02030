/** What is recorded of the server's statements: connections that are taken inside a transaction. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '../../src/db/open.ts'
import { isResting } from '../../src/infra/due/queries-due.ts'
import { inTransaction } from '../../src/infra/unavailable.ts'
import { recordStatements } from './record-statements.ts'
import { freshDatabase } from '../harness/start-app.ts'

const fresh = await freshDatabase()
const { DATABASE_URL: databaseUrl = '', CF_DATA_DIR: dataDir = '' } = fresh.env
const { db, close } = await openDatabase({ databaseUrl, dataDir, databasePool: 2 }, { error: () => {} }, (error) => {
  throw error
})
after(async () => {
  await close()
  await fresh.remove()
})

test('a statement beside the transaction that its async context holds is named with who opened it', async () => {
  const recorded = await recordStatements(db)
  let beside: Promise<boolean> | undefined
  await inTransaction(db, async () => {
    // Not awaited: the embedded database has no second connection to give before this transaction ends.
    beside = nextTurn().then(() => isResting(db, 'w'))
    await nextTurn()
    await nextTurn()
  })
  await beside
  assert.throws(
    () => recorded.check(),
    /Inside a transaction only `tx` is used[^]*infra\/due\/queries-due\.ts isResting, in the transaction of/,
  )
})

test('statements of the transaction itself, before it, beside it in another context, and after its end are free', async () => {
  const recorded = await recordStatements(db)
  await isResting(db, 'w')
  const started = Promise.withResolvers<void>()
  const elsewhere = started.promise.then(() => isResting(db, 'w'))
  let later: Promise<boolean> | undefined
  const ended = Promise.withResolvers<void>()
  await inTransaction(db, async (tx) => {
    await isResting(tx, 'w')
    started.resolve()
    later = ended.promise.then(() => isResting(db, 'w'))
  })
  ended.resolve()
  await Promise.all([elsewhere, later])
  assert.doesNotThrow(() => recorded.check())
})
