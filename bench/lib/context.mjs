/** The inside of the product without its routes, on a PostgreSQL database of its own: for work that no request waits for. */
import pg from 'pg'
import { loadConfig } from '../../packages/server/src/config.ts'
import { openContext } from '../../packages/server/src/context.ts'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'

/** `work` gets the context and a connection of its own; everything is taken down afterwards. */
export async function withContext(work) {
  const database = await freshDatabase()
  const config = loadConfig({
    ...database.env,
    CF_LOG_LEVEL: 'error',
    CF_WEBHOOK_ALLOW_PRIVATE: 'on',
    CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  const ctx = await openContext(config, (error) => {
    throw error
  })
  const db = new pg.Client({ connectionString: database.env.DATABASE_URL })
  try {
    await db.connect()
    return await work(ctx, db)
  } finally {
    await ctx.due.stop()
    await db.end()
    await ctx.close()
    await database.remove()
  }
}

/** The workspace `benchmark`, whose people may get any number of messages a day. */
export async function insertWorkspace(db, now) {
  await db.query(
    "insert into workspaces (id, name, source_locale, features, created_at, updated_at, settings_changed_at) values ('benchmark', 'Bench', 'en', '{\"frequency_caps\":false}', $1, $1, $1)",
    [now],
  )
}
