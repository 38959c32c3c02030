import { randomUUID } from 'node:crypto'
import { serverAddress } from '../api.ts'
import { Broken, type Call, type Reply, type Subject } from '../conformance/check.ts'
import { READ_CHECKS } from '../conformance/reads.ts'
import { WRITE_CHECKS } from '../conformance/writes.ts'
import { readCredentials } from '../credentials.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Result = { name: string; isFine: boolean; says?: string }

const SECONDS = 30

/** Holds a server, or a proxy in front of one, to the published client contract. With a live key only reads are tried. */
export async function conformance(io: Io, { json, base }: { json?: boolean; base?: string }): Promise<Exit> {
  const { key, url } = readCredentials(io)
  const address = base ?? url
  if (!address) throw new Problem('Which server? Name it with --base, or set CONTENTFLOW_URL')
  if (!key) throw new Problem('Set CONTENTFLOW_KEY to an application key: a test key for every check, a live key for reads only')
  const subject = openSubject(serverAddress(address), key)
  const environment = (await subject.ask('GET', '/sync')).headers.get('x-cf-env')
  const checks = environment === 'test' ? [...READ_CHECKS, ...WRITE_CHECKS] : READ_CHECKS
  const results: Result[] = []
  for (const { name, run } of checks) {
    const says = await faultOf(() => run(subject))
    results.push({ name, isFine: says === undefined, ...(says !== undefined && { says }) })
    if (!json && says !== undefined) io.out(`FAIL ${name}: ${says}\n`)
  }
  const broken = results.filter(({ isFine }) => !isFine).length
  if (json) io.out(`${JSON.stringify({ checks: results })}\n`)
  else
    io.out(
      `${results.length - broken} of ${results.length} checks hold${environment === 'test' ? '' : '; writes are tried with a test key'}\n`,
    )
  if (broken > 0) throw new Problem(`${broken} checks do not hold`)
  return SAME
}

/** The fault that a check finds; an answer in an unexpected form is one, too. */
async function faultOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Broken || error instanceof TypeError) return error.message
    throw error
  }
}

function openSubject(base: string, key: string): Subject {
  const ask = async (method: string, path: string, { headers = {}, body, raw }: Call = {}): Promise<Reply> => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const sent = { 'x-cf-key': key, ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers }
    const response = await fetch(`${base}/sdk/v1${path}`, {
      method,
      redirect: 'manual',
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== '')),
      ...(payload !== undefined && { body: payload }),
      signal: AbortSignal.timeout(SECONDS * 1000),
    }).catch((error: unknown) => {
      throw new Problem(`${base} cannot be reached: ${String((error as { cause?: { code?: string } }).cause?.code ?? error)}`)
    })
    const text = await response.text()
    const parsed = response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, body: parsed, data: parsed?.data }
  }
  return { ask, key, deviceId: `conformance-${randomUUID()}` }
}
