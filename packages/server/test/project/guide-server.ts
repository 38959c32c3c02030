/** A server with the demo, just started, and what a reader of a guide fills in for it. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, spawnServer, started } from '../harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../harness/start-app.ts'
import { runGuide } from './guide.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** `run`: the commands of one guide, in an empty folder of their own. Whoever opens it closes it. */
export type GuideServer = { run(guide: string): Promise<void>; close(): Promise<void> }

export async function openGuideServer(settings: Record<string, string> = {}): Promise<GuideServer> {
  const database = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'cf-guide-'))
  const server = spawnServer({ ...database.env, CF_DEMO: 'on', CF_SIGNUP: 'first', ...settings })
  const close = async () => {
    server.kill('SIGKILL')
    await server.exit
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  const url = await started(server).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(server.output())?.[1] ?? assert.fail(`${label} was not printed`)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  // As somebody has it who installed the command line.
  writeFileSync(join(bin, 'contentflow'), `#!/bin/sh\nexec "${process.execPath}" "${ROOT}packages/cli/dist/contentflow.js" "$@"\n`)
  chmodSync(join(bin, 'contentflow'), 0o755)
  return {
    close,
    run: async (guide) => {
      const cwd = mkdtempSync(join(folder, 'guide-'))
      const [mailbox, receiver] = [await freePort(), await freePort()]
      await runGuide(guide, {
        cwd,
        env: {
          PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
          HOME: cwd,
          NODE_NO_WARNINGS: '1',
          npm_config_offline: 'true',
          npm_config_audit: 'false',
        },
        blanks: {
          KEY: printed('App key \\(live\\)'),
          TEST_KEY: printed('App key \\(test\\)'),
          WRITE_KEY: printed('Write key'),
          READ_KEY: printed('Read key'),
          WORKSPACE: printed('Workspace'),
          PASSWORD: printed('Password'),
          OPERATOR: OPERATOR_TOKEN,
          CONTENTFLOW: ROOT,
        },
        replaced: [
          ['http://127.0.0.1:8080', url],
          ['node examples/mailbox.mjs', `PORT=${mailbox} node examples/mailbox.mjs`],
          ['node examples/webhook-receiver.mjs', `PORT=${receiver} node examples/webhook-receiver.mjs`],
          ['2525', mailbox],
          ['9009', receiver],
          ['examples/', `${ROOT}examples/`],
        ],
      })
    },
  }
}
