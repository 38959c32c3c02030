import { randomUUID } from 'node:crypto'
import { Broken, type Call, type Reply, type Subject } from '../conformance/check.ts'
import { READ_CHECKS } from '../conformance/reads.ts'
import { WRITE_CHECKS } from '../conformance/writes.ts'
import { checkClient } from '../conformance/client/run.ts'
import { readCredentials, serverAddress } from '../credentials.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

type Options = { json?: boolean | undefined; base?: string; client?: string; only?: string | undefined }
type Result = { name: string; isFine: boolean; says?: string }

const SECONDS = 30

/** Holds a server, or a proxy in front of one, to the published client contract. With a live key only reads are tried. */
export async function conformance(io: Io, { json, base, client, only }: Options): Promise<Exit> {
  if (client !== undefined) return conformanceOfClient(io, client, { json, only })
  const { key, url } = readCredentials(io)
  const address = base ?? url
  if (!address) throw new Problem('Which server? Name it with --base, or set CONTENTFLOW_URL', 'CREDENTIALS')
  if (!key)
    throw new Problem('Set CONTENTFLOW_KEY to an application key: a test key for every check, a live key for reads only', 'CREDENTIALS')
  const subject = openSubject(serverAddress(address), key)
  const environment = (await subject.ask('GET', '/sync')).headers.get('x-cf-env')
  const checks = environment === 'test' ? [...READ_CHECKS, ...WRITE_CHECKS] : READ_CHECKS
  const report = openReport(io, json === true)
  for (const { name, run } of checks) report.tell(name, await faultOf(() => run(subject)))
  return report.end(environment === 'test' ? '' : '; writes are tried with a test key')
}

/** Holds a client in any language to what the SDK does, through a program that stands in front of it. */
async function conformanceOfClient(io: Io, command: string, { json, only }: Pick<Options, 'json' | 'only'>): Promise<Exit> {
  const report = openReport(io, json === true)
  await checkClient(command, { cwd: io.cwd, err: io.err, only }, report.tell)
  return report.end('')
}

/** Says what does not hold as it is found, and at the end how much does. */
function openReport(io: Io, json: boolean) {
  const results: Result[] = []
  return {
    tell: (name: string, says: string | undefined) => {
      results.push({ name, isFine: says === undefined, ...(says !== undefined && { says }) })
      if (!json && says !== undefined) io.out(`FAIL ${name}: ${says}\n`)
    },
    end: (note: string): Exit => {
      const broken = results.filter(({ isFine }) => !isFine).length
      io.out(json ? `${JSON.stringify({ checks: results })}\n` : `${results.length - broken} of ${results.length} checks hold${note}\n`)
      if (broken > 0) throw new Problem(`${broken} checks do not hold`)
      return SAME
    },
  }
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
      throw new Problem(
        `${base} cannot be reached: ${String((error as { cause?: { code?: string } }).cause?.code ?? error)}`,
        'UNREACHABLE',
      )
    })
    const text = await response.text()
    const parsed = response.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, body: parsed, data: parsed?.data }
  }
  return { ask, key, deviceId: `conformance-${randomUUID()}` }
}
