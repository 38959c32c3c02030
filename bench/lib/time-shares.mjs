/** Reads processor profiles of Node and says which parts of the code the time of a process went to. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Parts below this share of the process's busy time are gathered as "other". */
const LEAST_SHARE = 0.02

/** Names of the profiles in a folder. */
export function listProfiles(folder) {
  return readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
}

/**
 * `busy`: share of the time in which the process ran anything; the rest it waited. `parts`: pairs of a part of the code and
 * its share of the busy time, largest first. Of several profiles the one with the most busy time, which is the process under load.
 */
export function timeShares(folder, names) {
  const profiles = names.map((name) => selfTimes(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  const largest = profiles.sort((a, b) => b.busyMs - a.busyMs)[0]
  if (!largest) return undefined
  const { byPart, busyMs, totalMs } = largest
  const shares = [...byPart].map(([part, ms]) => [part, ms / busyMs]).sort(([, a], [, b]) => b - a)
  const parts = shares.filter(([, share]) => share >= LEAST_SHARE)
  const other = 1 - parts.reduce((sum, [, share]) => sum + share, 0)
  return { busy: busyMs / totalMs, busySeconds: busyMs / 1000, parts: other > 0.005 ? [...parts, ['other', other]] : parts }
}

function selfTimes({ nodes, samples, timeDeltas }) {
  const partOf = new Map(nodes.map(({ id, callFrame }) => [id, partName(callFrame)]))
  const byPart = new Map()
  let [busyMs, totalMs] = [0, 0]
  for (const [i, id] of samples.entries()) {
    const ms = Math.max(0, timeDeltas[i + 1] ?? 0) / 1000
    const part = partOf.get(id)
    totalMs += ms
    if (part === '(idle)') continue
    busyMs += ms
    byPart.set(part, (byPart.get(part) ?? 0) + ms)
  }
  return { byPart, busyMs, totalMs }
}

/** A module of the server, a package of npm, Node itself, or what is not JavaScript: native functions by name, garbage collection. */
function partName({ functionName, url }) {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName || 'code'}`
  if (url.startsWith('node:'))
    return `node:${
      url
        .slice(5)
        .replace(/^internal\//, '')
        .split('/')[0]
    }`
  const npm = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  if (npm) return npm[1]
  const own = /\/packages\/(core|server)\/src\/(modules\/[^/]+|[^/]+)/.exec(url)
  return own ? (own[1] === 'core' ? `core/${own[2]}` : own[2].replace('modules/', '')) : 'elsewhere'
}
