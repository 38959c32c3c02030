/** A process that does one pass of a job and kills itself where it reaches a point: `due-child.ts <job> <point> <seconds>`, so far ahead in time. */
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { openContext } from '../../src/context.ts'
import { OPERATOR_TOKEN } from '../harness/start-app.ts'

const [job, point, seconds] = process.argv.slice(2)
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
ctx.clock.advance(Number(seconds))
const app = await createApp(ctx, { isTimed: false })
const headers = { 'x-cf-operator-token': OPERATOR_TOKEN }
const answer = await app.http.inject({ method: 'POST', url: '/api/v1/test-hooks/jobs', headers, payload: { job } })
process.stdout.write(`${point} was not reached: ${answer.statusCode} ${answer.body}\n`)
process.exit(1)
