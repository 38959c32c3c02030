import { CODE_KINDS, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'

/** Characters that are sent at a time. */
const PIECE = 65_536

/** A document of a whole workspace may be as large as all it holds: its answer is written item by item. */
export function* writeCode(code: Partial<WorkspaceCode>): Generator<string> {
  let text = '{"success":true,"data":{'
  for (const part of partsOf(code)) {
    text += part
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield `${text}}}`
}

function* partsOf(code: Partial<WorkspaceCode>): Generator<string> {
  const kinds = CODE_KINDS.filter((kind) => code[kind] !== undefined)
  for (const kind of kinds) {
    yield `${kind === kinds[0] ? '' : ','}${JSON.stringify(kind)}:`
    const items = code[kind]
    if (!Array.isArray(items)) {
      yield JSON.stringify(items)
      continue
    }
    yield '['
    for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`
    yield ']'
  }
}
