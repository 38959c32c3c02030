/** The project file, found from the working folder upwards: the server, the workspace and the files of a project, without any secret. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readProjectFile, type ProjectFile } from '@contentflow/core/schemas/project-file.ts'
import { Problem, type Io } from './io.ts'

export const PROJECT_FILE = 'contentflow.json'

/** Its paths are from the working folder, as those that are typed. `path`: where the file itself is. */
export type Project = ProjectFile & { path: string }

/** The one in this folder or the nearest folder above; undefined where there is none. */
export function findProject(io: Pick<Io, 'cwd'>): Project | undefined {
  for (let folder = resolve(io.cwd); ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE)
    if (existsSync(path)) return readProject(io, path)
    if (folder === dirname(folder)) return undefined
  }
}

function readProject({ cwd }: Pick<Io, 'cwd'>, path: string): Project {
  const name = relative(cwd, path)
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Problem(`${name} cannot be read: ${(error as Error).message}`, 'FILE')
  }
  const read = readProjectFile(parsed)
  if (!read.ok) throw new Problem(`${name}: ${read.error}`, 'FILE')
  const fromHere = (file: string) => relative(cwd, resolve(dirname(path), file))
  const { manifest, texts, events, document, types } = read.value
  return {
    ...read.value,
    path: name,
    ...(manifest !== undefined && { manifest: fromHere(manifest) }),
    ...(events !== undefined && { events: fromHere(events) }),
    ...(document !== undefined && { document: fromHere(document) }),
    texts: texts.map(fromHere),
    types: types.map((each) => ({ ...each, out: fromHere(each.out) })),
  }
}

/** The file that was typed, otherwise the one of the project. */
export function fileOf(io: Io, typed: string | undefined, member: 'manifest' | 'texts' | 'events' | 'document'): string {
  const [first, ...others] = filesOf(io, typed, member)
  if (others.length === 0 && first !== undefined) return first
  throw new Problem(`Which file? ${PROJECT_FILE} names several ${member}: name one`, 'USAGE')
}

/** The same, where several are as good as one. */
export function filesOf(io: Io, typed: string | undefined, member: 'manifest' | 'texts' | 'events' | 'document'): string[] {
  if (typed !== undefined) return [typed]
  const found = [findProject(io)?.[member] ?? []].flat()
  if (found.length === 0) throw new Problem(`Which file? Name it, or let ${PROJECT_FILE} name it as ${member}`, 'USAGE')
  return found
}
