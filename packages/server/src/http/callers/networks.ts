/** Networks that a token or a key may be used from. */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { failWith } from '../../errors.ts'
import { callerAddress, plainAddress } from './caller-address.ts'

/** A network, read once. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The address of whoever sends the request, as it is compared and kept. */
export function addressOf(request: IncomingMessage, trustedProxies: number): string {
  return plainAddress(callerAddress(request, trustedProxies))
}

/** `cidrs`: as `readCidrs` keeps them. */
export function toNetworks(cidrs: readonly string[]): Network[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr))
}

/** Whether an address is of one of the networks; without any, all are. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  return networks.some(([network, bits]) => network.kind() === plain.kind() && plain.match([network, bits] as never))
}

/** Networks as they are kept: an address alone is a network of one. 400 for what is none. */
export function readCidrs(sent: readonly string[]): string[] {
  return sent.map((text) => readCidr(text) ?? failWith(400, `allowedCidrs: ${JSON.stringify(text)} is no network such as 203.0.113.0/24`))
}

function readCidr(text: string): string | undefined {
  const asked = text.includes('/') ? text : ipaddr.isValid(text) ? `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}` : ''
  return ipaddr.isValidCIDR(asked) ? asked : undefined
}
