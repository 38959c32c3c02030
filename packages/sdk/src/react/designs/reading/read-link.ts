import { imageFault, urlFault } from '@contentflow/core/blocks/links/safe-url.ts'

/** The target of a button or a block. `path` is a place in the app itself, `app` a deep link such as `souqlane://home`. */
export type Link = { href: string; kind: 'web' | 'path' | 'mail' | 'phone' | 'app' }

/**
 * The link a value stands for, or undefined. The server refuses unsafe links on save; a draft or another
 * server may not have, so the same rule decides again before anything becomes an href (C-BLK-36 to C-BLK-41).
 */
export function readLink(value: unknown): Link | undefined {
  if (typeof value !== 'string' || value === '' || urlFault(value) !== undefined) return undefined
  return { href: value, kind: kindOf(value) }
}

function kindOf(href: string): Link['kind'] {
  if (href.startsWith('/')) return 'path'
  const scheme = href.slice(0, href.indexOf(':')).toLowerCase()
  if (scheme === 'https') return 'web'
  if (scheme === 'mailto') return 'mail'
  return scheme === 'tel' || scheme === 'sms' ? 'phone' : 'app'
}

/** The address of a picture, or undefined. A path belongs to the server that delivered it, so `assetOrigin` is put before it. */
export function readImageAddress(value: unknown, assetOrigin: string | undefined): string | undefined {
  if (typeof value !== 'string' || value === '' || imageFault(value) !== undefined) return undefined
  return value.startsWith('/') && assetOrigin ? assetOrigin + value : value
}
