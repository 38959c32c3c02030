/** Two processes on one PostgreSQL: what is changed on one, the other serves. The embedded database has no second process. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp, startOn, type TestApp } from '../../../../test/harness/start-app.ts'
import { addLocales, sync } from '../../../../test/builders/strings.ts'
import { until } from '../../../../test/harness/until.ts'

if (process.env['TEST_DATABASE_URL']) {
  const a = await startApp()
  const b = await startOn(a.databaseEnv)
  after(() => b.stop())
  testTwo(a, b)
}

function testTwo(a: TestApp, b: TestApp): void {
  const textAt = async (app: TestApp, ws: Workspace): Promise<string> =>
    expectStatus(await app.anyone.get('/sdk/v1/strings?locale=ar', { headers: { 'x-cf-key': ws.live } }), 200).data.strings.k

  /** Both processes have served it once. */
  async function shop(): Promise<Workspace> {
    const ws = await a.workspace()
    await addLocales(ws, 'ar')
    await sync(ws, { key: 'k', sourceText: 'K', values: { ar: 'first' } })
    for (const app of [a, b]) assert.equal(await textAt(app, ws), 'first')
    return ws
  }

  async function untilAt(app: TestApp, ws: Workspace, text: string): Promise<void> {
    await until(`${text} is served`, async () => (await textAt(app, ws)) === text)
  }

  test('C-STR-26 C-STREAM-12 a change on one process is served by it at once, and by the other soon after', async () => {
    const ws = await shop()
    await sync(ws, { key: 'k', values: { ar: 'second' } })
    assert.equal(await textAt(a, ws), 'second')
    await untilAt(b, ws, 'second')
  })

  test('C-STR-26 C-LIMIT-17 a change whose signal was lost is served by the other process too', async () => {
    const ws = await shop()
    const listening = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'contentflow signals'`
    assert.equal((await listening.execute(a.ctx.db)).rows.length, 2)
    await sync(ws, { key: 'k', values: { ar: 'unheard' } })
    assert.equal(await textAt(a, ws), 'unheard')
    await untilAt(b, ws, 'unheard')
  })
}
