/** The project file of the command line: where the server is, and which files are which. It never holds a secret. */
import type { Parsed } from '../blocks/definition.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { cutText } from '../cut-text.ts'
import { file, list, object, oneOf, SCHEMA_MEMBER, text, type JsonSchema } from './json-schema.ts'

export const TYPE_LANGUAGES = ['ts', 'swift', 'kotlin', 'dart'] as const
export type TypeLanguage = (typeof TYPE_LANGUAGES)[number]
export type TypesOutput = { lang: TypeLanguage; out: string; package?: string }
/** Paths are those of the file: relative to the folder it stands in. */
export type ProjectFile = {
  server?: string
  workspace?: string
  manifest?: string
  texts: string[]
  events?: string
  document?: string
  types: TypesOutput[]
}

const path = (what: string) => text(`${what}; a path from the folder of this file`, { least: 1 })
const typesOutput = object(
  'Code that knows block types, texts and events',
  {
    lang: oneOf('Its language', TYPE_LANGUAGES),
    out: path('The file that is written'),
    package: text('Package of a Kotlin file', { least: 1 }),
  },
  { required: ['lang', 'out'], isClosed: true },
)

/** One text, or several. */
function oneOrSeveral(what: string, one: JsonSchema): JsonSchema {
  return { anyOf: [one, list(what, one, { least: 1 })] }
}

const MEMBERS = {
  server: text('The address of the server, such as https://content.example.com', { least: 1 }),
  workspace: text('The id of the workspace', { least: 1 }),
  manifest: path('The manifest of block types'),
  texts: oneOrSeveral('Files of texts', path('A file of texts')),
  events: path('The declared event types'),
  document: path('The workspace as one document'),
  types: oneOrSeveral('Files of typed code', typesOutput),
}
const TEXTS = ['server', 'workspace', 'manifest', 'events', 'document'] as const

export const projectFileSchema: JsonSchema = file(
  'ContentFlow project',
  object('What the command line reads of a project', { ...SCHEMA_MEMBER, ...MEMBERS }, { isClosed: true }),
)

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })

/** Reads a project file; the first fault is returned. */
export function readProjectFile(input: unknown): Parsed<ProjectFile> {
  if (!isPlainObject(input)) return no('must be an object')
  const { $schema: _, ...entry } = input
  const unknown = Object.keys(entry).find((name) => !Object.hasOwn(MEMBERS, name))
  if (unknown !== undefined) return no(unknownMember(unknown))
  const project: ProjectFile = { texts: [], types: [] }
  for (const name of TEXTS) {
    const value = entry[name]
    if (value === undefined) continue
    if (typeof value !== 'string' || value === '') return no(`${name} must be a text`)
    project[name] = value
  }
  const texts = asList(entry['texts'])
  if (!texts?.every((each): each is string => typeof each === 'string' && each !== ''))
    return no('texts must be a path, or a list of paths')
  const types = asList(entry['types'])?.map(readTypesOutput)
  if (!types?.every((each) => each !== undefined))
    return no(`types must be {lang, out, package?}, or a list of them, with one of ${TYPE_LANGUAGES.join(', ')}`)
  return { ok: true, value: { ...project, texts, types } }
}

function unknownMember(name: string): string {
  const isSecret = /key|token|password|secret|email/i.test(name)
  const why = isSecret ? 'keys and tokens never stand in this file; they come from the environment or from contentflow login' : ''
  return `${cutText(name, 100)} is not known; it takes ${Object.keys(MEMBERS).join(', ')}${why && `. ${why}`}`
}

/** Undefined: an empty list, which says nothing. */
function asList(value: Json | undefined): Json[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [value]
  return value.length > 0 ? value : undefined
}

function readTypesOutput(value: Json): TypesOutput | undefined {
  const { lang, out, package: packageName, ...others } = isPlainObject(value) ? value : {}
  const known = TYPE_LANGUAGES.find((each) => each === lang)
  const isRight = typeof out === 'string' && out !== '' && Object.keys(others).length === 0
  if (!known || !isRight) return undefined
  if (packageName === undefined) return { lang: known, out }
  return typeof packageName === 'string' && packageName !== '' ? { lang: known, out, package: packageName } : undefined
}
