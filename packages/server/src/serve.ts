/** argv → configuration → context → the web server; signals and shutdown. */
import { createApp, type App } from './app.ts'
import { loadConfig } from './config.ts'
import { openContext, type Context } from './context.ts'
import { makeDemo } from './demo.ts'
import { describeSetup, makeDeclared, readDeclared, resetPasswordOf } from './first-account.ts'

/** A stop that takes longer than this, after load balancers were waited for, is ended by force. */
const STOP_LIMIT_MS = 30_000
const STREAMS_MS = 5_000
const REQUESTS_MS = 10_000

const RESET = 'reset-password'

/** What this process and its helpers make is for its own user, whatever it was started with. */
const OTHERS = 0o077

try {
  process.umask(OTHERS)
  await start()
} catch (error) {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = loadConfig(process.env)
  const [command, email = ''] = process.argv.slice(2)
  const declared = command === RESET ? [] : readDeclared(config)
  const ctx = await openContext(config, (error) => {
    process.stderr.write(`The embedded database stopped: ${error.message}\n`)
    process.exit(1)
  })
  if (command === RESET) return resetPassword(ctx, email)
  const told = await declare(ctx, declared)
  const app = await createApp(ctx)
  const demo = config.isDemoWanted ? await makeDemo(ctx) : undefined
  await app.http.listen({ port: config.port, host: config.host, backlog: 4_096 })
  const address = app.http.listeningOrigin
  // Before anything is printed: whoever reads the line may stop the process at once.
  stopOnSignal(ctx, app)
  const setup = await describeSetup(ctx, config.publicUrl || address)
  process.stdout.write(told)
  process.stdout.write(
    demo
      ? demo.describe(address)
      : `ContentFlow is at ${address} (documentation: ${address}/guide/, API reference: ${address}/docs)\n${setup}`,
  )
}

/** A start that is refused leaves no database open behind it. */
async function declare(ctx: Context, declared: Parameters<typeof makeDeclared>[1]): Promise<string> {
  try {
    return await makeDeclared(ctx, declared)
  } catch (error) {
    await ctx.close()
    throw error
  }
}

/** Serves nothing: an embedded database has to be free, so its server is stopped first. */
async function resetPassword(ctx: Context, email: string): Promise<void> {
  try {
    process.stdout.write(await resetPasswordOf(ctx, email))
  } finally {
    await ctx.close()
  }
}

/** SIGTERM waits for load balancers first; a second signal ends at once. */
function stopOnSignal(ctx: Context, app: App): void {
  let isStopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    ctx.log.info({ signal }, 'stopping')
    const drainMs = signal === 'SIGTERM' ? ctx.config.drainSeconds * 1000 : 0
    setTimeout(() => process.exit(1), drainMs + STOP_LIMIT_MS).unref()
    await app.stop({ drainMs, streamsMs: STREAMS_MS, requestsMs: REQUESTS_MS })
    await ctx.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, (name) => void stop(name))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\n  because: ${describe(error.cause)}`
  return `${error.message}${cause}`
}
