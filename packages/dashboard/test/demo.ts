/** The demo as a newcomer has it: a server that was just started, what it printed, and a browser. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { chromium } from 'playwright-core'
import { spawnServer, started } from '../../server/test/server-process.ts'
import { freshDatabase } from '../../server/test/start-app.ts'

/** Ended with the test file. `printed`: what stands behind a label. */
export async function openDemo() {
  const database = await freshDatabase()
  const server = spawnServer({ ...database.env, CF_DEMO: 'on', CF_SIGNUP: 'first' })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
  after(async () => {
    await browser.close()
    server.kill('SIGTERM')
    await server.exit
    await database.remove()
  })
  const url = await started(server)
  const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(server.output())?.[1] ?? assert.fail(`${label} was not printed`)
  return { url, browser, printed }
}
