/** Which addresses of other machines are called on somebody's word. Whatever is not known to be public is not. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The allowed ports below 1024: those of the web and of mail. */
const KNOWN_PORTS = new Set([25, 80, 443, 465, 587])
/** Names that mean this machine or this network wherever they are asked for. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by its number, but answered by the host of a virtual machine: Azure tells secrets there. */
const HOST_OF_MACHINES = '168.63.129.16'

/** Where a call goes: the server, and what is asked of it. */
export type Target = { origin: string; path: string }

/** Reads the address of a call; or says why `text` is none that is ever called, in words for whoever sent it. */
export function readTarget(text: string): Target | { fault: string } {
  if (!URL.canParse(text)) return { fault: 'is not an address' }
  const { protocol, username, password, port, origin, pathname, search } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return { fault: 'must begin with http:// or https://' }
  if (username !== '' || password !== '') return { fault: 'must not hold a name or password' }
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  if (number < 1024 && !KNOWN_PORTS.has(number)) return { fault: `names port ${number}, which is not called` }
  return { origin, path: pathname + search }
}

/** Why `text` is no address that is ever called; undefined when it is one. */
export function faultOfUrl(text: string): string | undefined {
  const target = readTarget(text)
  return 'fault' in target ? target.fault : undefined
}

/** The host as it is looked up: without the brackets of an IPv6 address and the dot at the end of a name. */
export function hostOf(url: string): string {
  return plainHost(new URL(url).hostname)
}

export function plainHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Judges a name by its text alone; the addresses it leads to are checked when it is looked up. */
export function isLocalHost(host: string): boolean {
  return isIP(host) === 0 ? LOCAL_NAMES.test(host.toLowerCase()) : !isPublicAddress(host)
}

/** False for everything of one machine, one network or one provider, also when it is written inside an IPv6 address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast' || plain.toString() === HOST_OF_MACHINES) return false
  return plain.kind() === 'ipv4' || (plain as ipaddr.IPv6).match(GLOBAL_UNICAST)
}
