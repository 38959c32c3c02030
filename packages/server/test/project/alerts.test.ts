/** What Prometheus says of the series of /metrics and of the alerts made of them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startApp } from '../harness/start-app.ts'

const { workspace, url } = await startApp()
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Of Debian's package `prometheus`. */
function promtool(args: string[], input = ''): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { cwd: `${ROOT}ops/prometheus`, input, encoding: 'utf8' })
  assert.ok(!error, 'promtool is missing: apt-get install -y prometheus')
  assert.equal(status, 0, `promtool ${args.join(' ')}:\n${stdout}${stderr}`)
}

test('every series of /metrics is by the conventions', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'first' } })
  await ws.blocks()
  assert.equal((await fetch(`${url}/nowhere`)).status, 404)
  promtool(['check', 'metrics'], await (await fetch(`${url}/metrics`)).text())
})

test('the alerts do what their examples say', () => {
  promtool(['check', 'rules', 'contentflow.rules.yml'])
  promtool(['test', 'rules', 'contentflow.rules.test.yml'])
  promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])
})
