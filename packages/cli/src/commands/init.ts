import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cancel, select, text } from '@clack/prompts'
import { readProjectFile, TYPE_LANGUAGES } from '@contentflow/core/schemas/project-file.ts'
import { readCredentials, serverAddress } from '../credentials.ts'
import { printValue, writeText } from '../files.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'
import { PROJECT_FILE } from '../project.ts'

type Choice = {
  server?: string
  workspace?: string
  manifest?: string
  texts?: string
  events?: string
  document?: string
  lang?: string
  out?: string
}
type Options = Choice & { json?: boolean; force?: boolean; yes?: boolean }

const DEFAULTS = { server: 'http://127.0.0.1:8080', manifest: 'content/blocks.json', texts: 'content/texts.json' }
const OUT: Record<string, string> = { ts: 'src/content.d.ts', swift: 'Content.swift', kotlin: 'Content.kt', dart: 'lib/content.dart' }
const NONE = 'none'

/** Writes the project file into the working folder. At a terminal it asks for what no option says. */
export async function init(io: Io, { json, force, yes, ...options }: Options): Promise<Exit> {
  if (existsSync(join(io.cwd, PROJECT_FILE)) && !force)
    throw new Problem(`${PROJECT_FILE} is there already. Edit it, or write another one over it with --force`, 'FILE')
  // The file that is being replaced may be one that cannot be read.
  const { url, workspace } = force ? {} : readCredentials(io)
  const suggested: Choice = { ...DEFAULTS, ...(url !== undefined && { server: url }), ...(workspace !== undefined && { workspace }) }
  const choice = io.isTerminal && !yes && !json ? await askAll(suggested, options) : { ...suggested, ...options }
  const project = toFile(choice)
  const read = readProjectFile(project)
  if (!read.ok) throw new Problem(read.error, 'USAGE')
  writeText(
    io,
    PROJECT_FILE,
    printValue('json', project),
    json ? `${JSON.stringify({ file: PROJECT_FILE, project })}\n` : `Wrote ${PROJECT_FILE}. Next: contentflow login --web\n`,
  )
  return SAME
}

function toFile({ lang, out, server, ...files }: Choice): Record<string, unknown> {
  const base = server === undefined ? undefined : serverAddress(server)
  if (out !== undefined && lang === undefined) throw new Problem('--out is a file of typed code: say its language with --lang', 'USAGE')
  if (lang !== undefined && !TYPE_LANGUAGES.some((each) => each === lang))
    throw new Problem(`--lang must be one of ${TYPE_LANGUAGES.join(', ')}`, 'USAGE')
  const said = Object.fromEntries(Object.entries(files).filter(([, value]) => value !== ''))
  return {
    ...(base !== undefined && { $schema: `${base}/schemas/project.json`, server: base }),
    ...said,
    ...(lang !== undefined && { types: [{ lang, out: out ?? OUT[lang] }] }),
  }
}

async function askAll(suggested: Choice, given: Choice): Promise<Choice> {
  const ask = async (name: Exclude<keyof Choice, 'lang'>, message: string, fallback = suggested[name] ?? '') =>
    given[name] ?? answered(await text({ message, initialValue: fallback }))
  const server = await ask('server', 'Server')
  const workspace = await ask('workspace', 'Workspace (its id; empty for the one you sign in to)')
  const manifest = await ask('manifest', 'Manifest of block types (empty for none)')
  const texts = await ask('texts', 'File of texts (empty for none)')
  const events = await ask('events', 'Declared event types (empty for none)')
  const document = await ask('document', 'Workspace as one document (empty for none)')
  const options = [...TYPE_LANGUAGES.map((lang) => ({ value: lang as string, label: lang })), { value: NONE, label: 'none' }]
  const lang = given.lang ?? answered(await select({ message: 'Typed code', options }))
  const files = { server, workspace, manifest, texts, events, document }
  return lang === NONE ? files : { ...files, lang, out: await ask('out', 'File of typed code', OUT[lang]) }
}

/** Nothing typed is an empty text. */
function answered(answer: string | symbol | undefined): string {
  if (typeof answer !== 'symbol') return answer ?? ''
  cancel('Nothing was written')
  throw new Problem('Nothing was written', 'UNCONFIRMED')
}
