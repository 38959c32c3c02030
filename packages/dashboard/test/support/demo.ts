/** The demo as a newcomer has it: a server that was just started, what it printed, and a browser. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { launchChromium } from '../../../server/test/harness/chromium.ts'
import { spawnServer, started } from '../../../server/test/harness/server-process.ts'
import { freshDatabase } from '../../../server/test/harness/start-app.ts'

/** Ended with the test file. `printed`: what stands behind a label. */
export async function openDemo() {
  const database = await freshDatabase()
  const server = spawnServer({ ...database.env, CF_DEMO: 'on', CF_SIGNUP: 'first' })
  const browser = await launchChromium()
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
