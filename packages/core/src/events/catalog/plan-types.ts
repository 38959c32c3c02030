/** What would have to change for the declared types of a workspace to be these. */
import { canonicalJson } from '../../json/canonical-json.ts'
import type { DeclaredType } from './declared-type.ts'

/** Names in order. `undeclared`: declared now, and not wanted any more. */
export type TypesPlan = { created: string[]; changed: string[]; unchanged: string[]; undeclared: string[] }

export function planTypes(current: readonly DeclaredType[], wanted: readonly DeclaredType[]): TypesPlan {
  const before = new Map(current.map((type) => [type.name, canonicalJson(type)]))
  const plan: TypesPlan = { created: [], changed: [], unchanged: [], undeclared: [] }
  for (const type of wanted) {
    const old = before.get(type.name)
    const list = old === undefined ? plan.created : old === canonicalJson(type) ? plan.unchanged : plan.changed
    list.push(type.name)
  }
  const names = new Set(wanted.map(({ name }) => name))
  plan.undeclared = current.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  for (const list of Object.values(plan)) list.sort()
  return plan
}
