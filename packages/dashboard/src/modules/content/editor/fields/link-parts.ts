/** A link as people think of it: what kind of place, and the rest. */
export const LINK_KINDS = ['page', 'web', 'mail', 'phone', 'app'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** The beginning of an address, before the part that is typed. */
export const PREFIXES: { readonly [kind in LinkKind]: string } = { page: '/', web: 'https://', mail: 'mailto:', phone: 'tel:', app: '' }

export function splitLink(url: string): { kind: LinkKind; rest: string } {
  const kind = LINK_KINDS.find((each) => PREFIXES[each] !== '' && url.toLowerCase().startsWith(PREFIXES[each])) ?? 'app'
  return { kind, rest: url.slice(PREFIXES[kind].length) }
}

/** A whole link that is pasted keeps its own prefix once; http becomes https, which is all that may be stored. */
export function joinLink(kind: LinkKind, typed: string): string {
  const rest = typed.trim()
  if (rest === '') return ''
  const prefix = PREFIXES[kind]
  if (kind === 'web') return prefix + rest.replace(/^https?:\/\//i, '')
  return rest.toLowerCase().startsWith(prefix) ? rest : prefix + rest
}
