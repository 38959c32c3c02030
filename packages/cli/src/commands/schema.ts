import { printSchema, SCHEMA_NAMES } from '@contentflow/core/schemas/schemas.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

/** Prints the JSON schema of a file, or without a name those that there are. */
export async function schema(io: Io, { json }: { json?: boolean }, name?: string): Promise<Exit> {
  if (name === undefined) {
    io.out(json ? `${JSON.stringify(SCHEMA_NAMES)}\n` : SCHEMA_NAMES.map((each) => `${each}\n`).join(''))
    return SAME
  }
  const known = SCHEMA_NAMES.find((each) => each === name)
  if (!known) throw new Problem(`There are schemas of ${SCHEMA_NAMES.join(', ')}, not of ${name}`, 'USAGE')
  io.out(printSchema(known))
  return SAME
}
