/**
 * Whether a statement is of one workspace: each tenant table in it is bound by `workspace_id = $n`, or is written with
 * a parameter as the workspace of its rows. Read from the text alone, so it knows the SQL that this server writes, and
 * takes what it cannot follow for unfit.
 */

/** `unbound`: tables that no parameter binds. `parameters`: numbers, from 1, of those that must all name one workspace. */
export type Reading = { unbound: string[]; parameters: number[] }

type Group = { items: Item[] }
type Item = string | Group

const AFTER_A_TABLE = new Set(
  'where set on join left right full inner cross order group limit offset for using values select returning union intersect except default'.split(
    ' ',
  ),
)
const BEFORE_A_TABLE = new Set(['from', 'join', 'update', 'into', 'only', 'using'])
const QUERIES = new Set(['select', 'insert', 'update', 'delete', 'with', 'values'])
const ENDS_FROM = new Set(['where', 'group', 'order', 'limit', 'set', 'returning', 'select', 'for', 'values'])

export function readStatement(text: string, isTenantTable: (name: string) => boolean): Reading {
  const tokens = tokensOf(text)
  const reading: Reading = { unbound: [], parameters: [] }
  const named = withNames(tokens)
  for (const scope of scopesOf(groupOf(tokens))) readScope(scope, (name) => isTenantTable(name) && !named.has(name), reading)
  return reading
}

function tokensOf(text: string): string[] {
  const plain = text.replace(/\/\*.*?\*\//gs, ' ').replace(/--[^\n]*/g, ' ')
  const found = plain.match(/'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_][\w$]*|\d[\w.]*|::|[^\s\w]/gi) ?? []
  return found.map((token) => (token.startsWith('"') ? token.slice(1, -1) : token.toLowerCase()))
}

/** What the statement itself gives names to. */
function withNames(tokens: readonly string[]): Set<string> {
  const isQuery = (at: number) => tokens[at] === '(' && QUERIES.has(tokens[at + 1] ?? '')
  return new Set(
    tokens.filter((_, i) => {
      if (tokens[i + 1] !== 'as') return false
      return isQuery(i + (tokens[i + 2] === 'materialized' ? 3 : tokens[i + 2] === 'not' ? 4 : 2))
    }),
  )
}

function groupOf(tokens: readonly string[]): Group {
  const stack: Group[] = [{ items: [] }]
  for (const token of tokens) {
    if (token === '(') {
      const group: Group = { items: [] }
      stack.at(-1)?.items.push(group)
      stack.push(group)
    } else if (token === ')') stack.pop()
    else stack.at(-1)?.items.push(token)
  }
  return stack[0] ?? { items: [] }
}

/** Every query of the statement by itself: parentheses around conditions and lists stay in it, subqueries are queries of their own. */
function scopesOf(group: Group): string[][] {
  const scopes: string[][] = [[]]
  const inner: string[][] = []
  const add = (items: readonly Item[], isNested: boolean) => {
    for (const item of items) {
      if (typeof item === 'string') {
        if (!isNested && /^(union|intersect|except)$/.test(item)) scopes.push([])
        else scopes.at(-1)?.push(item)
      } else if (isQuery(item)) {
        inner.push(...scopesOf(item))
        scopes.at(-1)?.push('(', ')')
      } else {
        scopes.at(-1)?.push('(')
        add(item.items, true)
        scopes.at(-1)?.push(')')
      }
    }
  }
  add(group.items, false)
  return [...scopes, ...inner]
}

function isQuery({ items: [first] }: Group): boolean {
  return typeof first === 'string' ? QUERIES.has(first) : first !== undefined && isQuery(first)
}

function readScope(scope: readonly string[], isTenantTable: (name: string) => boolean, reading: Reading): void {
  let isFrom = false
  let depth = 0
  for (const [i, token] of scope.entries()) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (depth === 0 && token === 'from') isFrom = true
    if (depth === 0 && ENDS_FROM.has(token)) isFrom = false
    const before = scope[i - 1] ?? ''
    if (!isTenantTable(token) || !(BEFORE_A_TABLE.has(before) || (before === ',' && isFrom && depth === 0))) continue
    const bound = before === 'into' ? insertedWorkspaces(scope, i) : bindings(scope, aliasOf(scope, i))
    if (bound.length === 0) reading.unbound.push(token)
    reading.parameters.push(...bound)
  }
}

function aliasOf(scope: readonly string[], table: number): string {
  const next = scope[table + 1] === 'as' ? scope[table + 2] : scope[table + 1]
  return next !== undefined && /^[a-z_]\w*$/i.test(next) && !AFTER_A_TABLE.has(next) ? next : (scope[table] ?? '')
}

/** `alias.workspace_id = $n`, or without the alias. */
function bindings(scope: readonly string[], alias: string): number[] {
  return scope.flatMap((token, i) => {
    if (token !== 'workspace_id' || scope[i + 1] !== '=') return []
    if (scope[i - 1] === '.' && scope[i - 2] !== alias) return []
    const parameter = parameterOf(scope[i + 2])
    return parameter === undefined ? [] : [parameter]
  })
}

/** What stands in the place of `workspace_id` in every row; nothing when one of them is not a parameter. */
function insertedWorkspaces(scope: readonly string[], table: number): number[] {
  const start = scope.indexOf('(', table)
  const columns = listAt(scope, start)
  const index = columns.items.findIndex(([name]) => name === 'workspace_id')
  const rows: (readonly string[] | undefined)[] = []
  if (scope[columns.end] === 'values') {
    for (let at = columns.end + 1; scope[at] === '('; at++) {
      const row = listAt(scope, at)
      rows.push(row.items[index])
      at = row.end
      if (scope[at] !== ',') break
    }
  } else if (scope[columns.end] === 'select') {
    rows.push(listAt(scope, columns.end + (scope[columns.end + 1] === 'distinct' ? 1 : 0)).items[index])
  }
  const found = rows.map((value) => (value?.length === 1 || value?.[1] === '::' || value?.[1] === 'as' ? parameterOf(value[0]) : undefined))
  return found.length > 0 && found.every((parameter) => parameter !== undefined) ? found : []
}

/** The items of a list that begins behind `start`, up to its `)` or to the clause after it; `end` is the place behind. */
function listAt(scope: readonly string[], start: number): { items: string[][]; end: number } {
  const items: string[][] = [[]]
  let depth = 0
  for (let i = start + 1; i < scope.length; i++) {
    const token = scope[i] ?? ''
    if (depth === 0 && token === ')') return { items, end: i + 1 }
    if (depth === 0 && (token === 'from' || token === 'where')) return { items, end: i }
    if (token === '(') depth++
    if (token === ')') depth--
    if (depth === 0 && token === ',') items.push([])
    else items.at(-1)?.push(token)
  }
  return { items, end: scope.length }
}

function parameterOf(token: string | undefined): number | undefined {
  return token?.startsWith('$') ? Number(token.slice(1)) : undefined
}
