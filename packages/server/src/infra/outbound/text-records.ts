/** What TXT records a name has: asked of servers of names, which are no machines that somebody chose. */
import { Resolver } from 'node:dns/promises'

/** `null`: nobody answered; empty: there is no such record. */
export type TextRecords = string[] | null

const [TIMEOUT_MS, TRIES] = [2_000, 2]
/** More, or longer ones, are of no use to anybody. */
const [MOST, LONGEST] = [50, 4_096]

/** `servers`: with their ports, as `CF_DNS_SERVERS` names them; empty: those of the system. */
export async function findTextRecords(servers: readonly string[], names: readonly string[]): Promise<Map<string, TextRecords>> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  const unique = [...new Set(names)]
  const found = await Promise.all(unique.map((name) => askFor(resolver, name)))
  return new Map(unique.map((name, at) => [name, found[at] ?? null]))
}

async function askFor(resolver: Resolver, name: string): Promise<TextRecords> {
  try {
    const records = await resolver.resolveTxt(name)
    return records.slice(0, MOST).map((parts) => parts.join('').slice(0, LONGEST))
  } catch (error) {
    // No such name, or no such record of it; EBADNAME is a name that cannot be asked for.
    return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '') ? [] : null
  }
}
