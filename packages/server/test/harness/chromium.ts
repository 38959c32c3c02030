/** The browser of the tests: Debian's, without a window. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** The first takes a fifth less of the processor: it is nothing but the engine. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

/** The caller closes it. */
export async function launchChromium(...more: string[]): Promise<Browser> {
  const executablePath = PROGRAMS.find((path) => existsSync(path))
  assert.ok(
    executablePath,
    `${PROGRAMS.join(' or ')} is wanted; this test needs a real browser: apt-get install -y chromium-headless-shell`,
  )
  return chromium.launch({ executablePath, args: [...ARGS, ...more] })
}
