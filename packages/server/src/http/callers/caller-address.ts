import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** The address of the caller: that of the connection, or what the trusted proxies nearest to this server report (CF_TRUST_PROXY). */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const connection = request.socket.remoteAddress ?? ''
  // Called by every read: without proxies nothing is parsed.
  return trustedProxies === 0 ? connection : proxyAddr(request, (_address, hop) => hop < trustedProxies)
}

/** What counts as one caller: an IPv4 address, or the /64 network of an IPv6 address (C-LIMIT-08). */
export function callerOf(request: IncomingMessage, trustedProxies: number): string {
  return rateAddress(callerAddress(request, trustedProxies))
}

export function rateAddress(address: string): string {
  const plain = plainAddress(address)
  return ipaddr.IPv6.isValid(plain) ? `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString()}/64` : plain
}

/** An address as such: without a port or zone, and IPv4 in its own spelling. */
export function plainAddress(address: string): string {
  // Some proxies write the port too: `1.2.3.4:80`, `[::1]:80`.
  const bare = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)
  const text = (bare?.[1] ?? bare?.[2] ?? address).split('%', 1)[0] ?? ''
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text).toString() : text
}
