/** Conditions on events, asked of columns: each value of a dimension is judged once, not each event. */
import type { Where, WhereLeaf } from '../behaviour/where.ts'
import { prepareTest } from '../targeting/operators.ts'
import { NO_VALUE, OTHER_VALUE, type Columns } from './columns.ts'

export type RowTest = (row: number) => boolean

/** Questions have no patterns: each would be searched for in every value there is. */
const NO_PATTERNS = () => undefined

/** A value that there was no room for in the dictionary: no condition can name it. */
const UNNAMED = '…'

/** Whether the event of a row meets the conditions. A column that is not there is a field that no event has. */
export function testRows(columns: Columns, where: Where | undefined): RowTest {
  if (!where) return () => true
  const tests = where.conditions.map((part) => ('conditions' in part ? testRows(columns, part) : testLeaf(columns, part)))
  return where.logicalOperator === 'OR' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row))
}

function testLeaf(columns: Columns, { field, operator, value }: WhereLeaf): RowTest {
  const test = prepareTest(operator, value, NO_PATTERNS)
  const dimension = columns.dimensions.find(({ name }) => name === field)
  if (dimension) {
    const holds = [test(undefined, 0), ...dimension.values.map((each) => test(each, 0))]
    const holdsUnnamed = test(UNNAMED, 0)
    const { codes } = dimension
    return (row) => (codes[row] === OTHER_VALUE ? holdsUnnamed : (holds[codes[row] ?? NO_VALUE] ?? false))
  }
  const measure = columns.measures.find(({ name }) => name === field)
  const holdsMissing = test(undefined, 0)
  if (!measure) return () => holdsMissing
  return (row) => {
    const found = measure.values[row]!
    return Number.isNaN(found) ? holdsMissing : test(found, 0)
  }
}

/** The fields that conditions name. */
export function fieldsOf(where: Where | undefined): string[] {
  return (where?.conditions ?? []).flatMap((part) => ('conditions' in part ? fieldsOf(part) : [part.field]))
}
