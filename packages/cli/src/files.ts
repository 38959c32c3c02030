/** Files that people hand over: JSON or YAML, told by the name. */
import { readFileSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { Problem, type Io } from './io.ts'

export function readText(io: Io, name: string): string {
  try {
    return readFileSync(resolve(io.cwd, name), 'utf8')
  } catch (error) {
    throw new Problem(`${name} cannot be read: ${(error as Error).message}`)
  }
}

export function writeText(io: Io, name: string, text: string): void {
  try {
    writeFileSync(resolve(io.cwd, name), text)
  } catch (error) {
    throw new Problem(`${name} cannot be written: ${(error as Error).message}`)
  }
}

export function readValue(io: Io, name: string): unknown {
  const text = readText(io, name)
  try {
    return isYaml(name) ? parse(text) : JSON.parse(text)
  } catch (error) {
    throw new Problem(`${name} is not ${isYaml(name) ? 'YAML' : 'JSON'}: ${(error as Error).message}`)
  }
}

export function printValue(name: string, value: unknown): string {
  return isYaml(name) ? stringify(value, { lineWidth: 0 }) : `${JSON.stringify(value, undefined, 2)}\n`
}

const isYaml = (name: string) => /^\.ya?ml$/i.test(extname(name))
