/** A server that kills itself the first time it reaches a point: `once-child.ts <point> <seconds its clock is ahead>`. It says where it listens. */
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { openContext } from '../../src/context.ts'
import { OPERATOR_TOKEN } from '../harness/start-app.ts'

const [point, ahead] = process.argv.slice(2)
const config = loadConfig({
  ...process.env,
  CF_DEMO: 'off',
  CF_LOG_LEVEL: 'silent',
  CF_TEST_HOOKS: 'on',
  CF_OPERATOR_TOKEN: OPERATOR_TOKEN,
})
const ctx = await openContext(config, (error) => {
  throw error
})
ctx.faults.watch((reached) => {
  if (reached === point) process.kill(process.pid, 'SIGKILL')
})
ctx.clock.advance(Number(ahead))
const app = await createApp(ctx, { isTimed: false })
await app.http.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${app.http.listeningOrigin}\n`)
