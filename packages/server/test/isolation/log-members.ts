/** Members of the lines of the log: those that docs/operations.md lists, and those that the source writes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const MANUAL = new URL('../../../../docs/operations.md', import.meta.url)

export function documentedMembers(): Set<string> {
  const [, table = ''] = /### The log\n[^|]*((?:\|.*\n)+)/.exec(readFileSync(MANUAL, 'utf8')) ?? []
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '')
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}

/** Of every call of a log in this text. They are written out there, so that they can be read here. */
export function writtenMembers(file: string, source: string): string[] {
  return [...source.matchAll(/\blog\.(?:debug|info|warn|error|fatal)\(\s*/g)].flatMap(({ 0: call, index }) => {
    const rest = source.slice(index + call.length)
    if (/^['"`]/.test(rest)) return []
    // No member is an object, so the first brace that closes ends them.
    const [, members] = /^\{([^{}]*)\}/.exec(rest) ?? assert.fail(`${file}: ${rest.slice(0, 60)} is not an object of members`)
    return members!.split(',').flatMap((member) => {
      const text = member.trim()
      if (text === '') return []
      const [, name] = /^(\w+)(?::|$)/.exec(text) ?? assert.fail(`${file}: ${text} is no member by its name`)
      return [name!]
    })
  })
}
