/** The commands of docs/operations.md, as they stand there. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { freshDatabase, startApp, startOn } from '../harness/start-app.ts'

const manual = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
const commandsOf = (name: string) => new RegExp(`^\`\`\`bash ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(manual)?.[1] ?? assert.fail(name)
const isPostgres = process.env['TEST_DATABASE_URL'] !== undefined && process.env['TEST_CITUS'] !== '1'

const { workspace, databaseEnv } = await startApp()

test('what was backed up while the server ran is served from where it was restored', { skip: !isPostgres }, async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'kept' } })
  const restored = await freshDatabase({ isBare: true })
  const folder = mkdtempSync(join(tmpdir(), 'cf-backup-'))
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await restored.remove()
  })
  const env = { ...process.env, ...databaseEnv, RESTORED_URL: restored.env['DATABASE_URL'] }
  for (const name of ['backup', 'restore']) await promisify(execFile)('bash', ['-euc', commandsOf(name)], { cwd: folder, env })
  const second = await startOn(restored.env)
  try {
    const answer = await fetch(`${second.url}/sdk/v1/sync`, { headers: { 'x-cf-key': ws.live } })
    const { data } = (await answer.json()) as { data: { blocks: { values: Record<string, string> }[] } }
    assert.equal(data.blocks[0]?.values['#title'], 'kept')
  } finally {
    await second.stop()
  }
})
