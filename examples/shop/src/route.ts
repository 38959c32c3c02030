import type { Link } from '@contentflow/sdk/react'
import { useSyncExternalStore } from 'react'

export type Route =
  | { page: 'home' | 'categories' | 'bag' | 'stores' | 'account' }
  | { page: 'products'; path: string }
  | { page: 'product'; slug: string }
  | { page: 'elsewhere'; href: string }

const PLAIN = ['categories', 'bag', 'stores', 'account'] as const

/** The page an address of the shop stands for: `#/product/linen-shirt`. */
function parseRoute(hash: string): Route {
  const path = hash.replace(/^#/, '')
  const [, first = '', second = ''] = path.split('/')
  const plain = PLAIN.find((page) => page === first)
  if (plain) return { page: plain }
  if (first === 'product' && second !== '') return { page: 'product', slug: safeDecode(second) }
  if (first === 'c' || first === 'collections') return { page: 'products', path }
  if (first === 'elsewhere') return { page: 'elsewhere', href: safeDecode(path.slice('/elsewhere/'.length)) }
  return { page: 'home' }
}

/** Where a link of the content leads inside the shop; undefined: the browser follows it. */
export function hashOf({ href, kind }: Link): string | undefined {
  if (kind === 'mail' || kind === 'phone') return undefined
  const path = kind === 'app' ? href.replace(/^[^:]+:\/*/, '/') : kind === 'path' ? href : ''
  const [, first = ''] = path.split(/[/?#]/)
  if (path === '/' || first === 'home') return '#/'
  if (first === 'orders' || first === 'settings') return '#/account'
  if (first === 'cart') return '#/bag'
  if (path !== '' && parseRoute(`#${path}`).page !== 'home') return `#${path}`
  return `#/elsewhere/${encodeURIComponent(href)}`
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(onHash, () => location.hash))
}

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
