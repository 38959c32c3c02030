/** The product as it is run: its own process, its own database, spoken to through its routes. */
import { readFileSync } from 'node:fs'
import { clientOf, makeBuilders, PASSWORD, uniqueEmail } from '../../packages/server/test/builders/builders.ts'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { SERVER_CORE, said, start, stop } from './processes.mjs'

const ROOT = new URL('../../', import.meta.url)
/** As `npm start` runs it: flags of Node, and the entry. */
const [, , ...FLAGS] = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).scripts.start.split(' ')
const MAIN = new URL(FLAGS.pop(), ROOT).pathname
export const OPERATOR_TOKEN = 'operator-token-of-the-bench'

/** Starts the product; resolves once it listens. `core` null: all. `profile`: folder for a processor profile, written when it ends. */
export async function startProduct(databaseEnv, { core = SERVER_CORE, env = {}, nodeArgs = [], profile } = {}) {
  const profileArgs = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, '--cpu-prof-interval=200'] : []
  const child = start(process.execPath, [...profileArgs, ...nodeArgs, ...FLAGS, MAIN], {
    core,
    env: { PORT: '0', CF_DEMO: 'off', CF_SIGNUP: 'on', CF_OPERATOR_TOKEN: OPERATOR_TOKEN, CF_LOG_LEVEL: 'warn', ...databaseEnv, ...env },
  })
  const [text, url] = await said(child, /ContentFlow is at (http:\S+)(?: \(|[^]*\/sdk\/v1\/sync\n)/)
  const printed = (label) => new RegExp(`${label} +(\\S+)`).exec(text)[1]
  return { pid: child.pid, url, port: Number(new URL(url).port), printed, stop: () => stop(child) }
}

/** The product on a PostgreSQL database of its own; `run` gets it and everything is taken down afterwards. */
export async function withProduct({ profile, env }, run) {
  const database = await freshDatabase()
  try {
    const product = await startProduct(database.env, { profile, env })
    try {
      return await run(product, database.env.DATABASE_URL)
    } finally {
      await product.stop()
    }
  } finally {
    await database.remove()
  }
}

/** A workspace without a rate, and what a raw request needs to write to it. */
export async function openWorkspace(url) {
  const { workspace, operator } = makeBuilders(url, OPERATOR_TOKEN)
  const email = uniqueEmail()
  const made = await workspace({ email })
  const answer = await operator.put(`/operator/workspaces/${made.id}/plan`, { requestsPerMinute: null })
  if (answer.status !== 200) throw new Error(`The rate could not be lifted: ${answer.text}`)
  const { data } = await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD })
  const credentials = `Authorization: Bearer ${data.token}\r\nX-Tenant-Id: ${made.id}\r\n`
  /** The bytes of a save that changes the text of an instance. */
  const saveRequest = (instance, text) => {
    const body = JSON.stringify({ values: { '#title': text } })
    const path = `/api/v1/blocks/${instance.blockKey}/instances/${instance.id}`
    return `PUT ${path} HTTP/1.1\r\nHost: bench\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  return { ...made, email, saveRequest }
}

/** Runs `work` for every item, a few at a time. */
export async function forEach(items, work, width = 8) {
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await work(next[1], next[0])
  }
  await Promise.all(Array.from({ length: width }, worker))
}
