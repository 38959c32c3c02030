/** Input and output files. Their format follows from the name; `-` is standard input or standard output. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { Problem, type Io } from './io.ts'

/** Endings that are known, and what they mean. */
const FORMATS = { json: 'json', yaml: 'yaml', yml: 'yaml', csv: 'csv', tsv: 'tsv' } as const
export type Format = (typeof FORMATS)[keyof typeof FORMATS]
export const VALUES = ['json', 'yaml'] as const
export const STANDARD = '-'

/**
 * The format of a file by its name; a name without an ending, as `-` and `/dev/stdin`, has `unnamed`. An unknown ending is
 * refused before anything is asked or written.
 */
export function formatOf<Wanted extends Format>(name: string, wanted: readonly Wanted[], unnamed?: Wanted): Wanted {
  const ending = extname(name).slice(1).toLowerCase()
  if (ending === '' && (unnamed !== undefined || name === STANDARD)) return unnamed ?? (wanted[0] as Wanted)
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending as keyof typeof FORMATS] : undefined
  const found = wanted.find((each) => each === format)
  if (found !== undefined) return found
  const endings = Object.entries(FORMATS).flatMap(([each, means]) => ((wanted as readonly Format[]).includes(means) ? [`.${each}`] : []))
  throw new Problem(`${name}: what is in it is told by its ending, which must be one of ${endings.join(', ')}`, 'FILE')
}

export function readText(io: Io, name: string): string {
  try {
    return readFileSync(name === STANDARD ? 0 : resolve(io.cwd, name), 'utf8')
  } catch (error) {
    throw new Problem(`${name} cannot be read: ${(error as Error).message}`, 'FILE')
  }
}

/** Makes the folders that are missing. `said` goes to standard error when the file itself is standard output. */
export function writeText(io: Io, name: string, text: string, said: string): void {
  if (name === STANDARD) {
    io.out(text)
    return io.err(said)
  }
  try {
    const path = resolve(io.cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  } catch (error) {
    throw new Problem(`${name} cannot be written: ${(error as Error).message}`, 'FILE')
  }
  io.out(said)
}

export function readValue(io: Io, name: string): unknown {
  const isYaml = formatOf(name, VALUES, 'json') === 'yaml'
  const text = readText(io, name)
  try {
    return isYaml ? parse(text) : JSON.parse(text)
  } catch (error) {
    throw new Problem(`${name} is not ${isYaml ? 'YAML' : 'JSON'}: ${(error as Error).message}`, 'FILE')
  }
}

export function printValue(format: Format, value: unknown): string {
  return format === 'yaml' ? stringify(value, { lineWidth: 0 }) : `${JSON.stringify(value, undefined, 2)}\n`
}
