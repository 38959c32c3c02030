import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TYPE_LANGUAGES, type TypeLanguage, type TypesOutput } from '@contentflow/core/schemas/project-file.ts'
import { openApi } from '../api.ts'
import { readText, STANDARD, writeText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { findProject } from '../project.ts'
import { dart } from '../types/dart.ts'
import { kotlin } from '../types/kotlin.ts'
import { makeModel, type Model } from '../types/model.ts'
import { swift } from '../types/swift.ts'
import { typescript } from '../types/typescript.ts'
import { readDeclared } from './blocks.ts'
import { declaredOf, readEventTypes } from './event-types.ts'
import { readCatalog } from './strings.ts'

type Options = { json?: boolean; lang?: string; out?: string; package?: string; check?: boolean }
/** `out` is undefined where the code is printed. */
type Wanted = { lang: TypeLanguage; out: string | undefined; package?: string | undefined }
type Made = { code: string; blocks: number; texts: number; events: number }

const LANGUAGES: Record<TypeLanguage, (model: Model, packageName: string) => string> = { ts: typescript, swift, kotlin, dart }
const PACKAGE = 'contentflow'

/** Code that knows the block types, texts and declared events of the workspace. */
export async function types(io: Io, options: Options): Promise<Exit> {
  const wanted = wantedOf(io, options)
  for (const { out, package: named = PACKAGE } of wanted) {
    if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(named)) throw new Problem('--package must be a name such as com.example.content', 'USAGE')
    if (options.check && out === undefined) throw new Problem('--check compares a file: name it with --out', 'USAGE')
  }
  const api = openApi(io)
  const [blocks, { strings }, { types: seen }] = await Promise.all([readDeclared(api), readCatalog(api), readEventTypes(api)])
  const events = declaredOf(seen)
  const model = makeModel(blocks, strings, events)
  const exits = wanted.map((each) => {
    const code = LANGUAGES[each.lang](model, each.package ?? PACKAGE)
    return write(io, options, each, { code, blocks: blocks.length, texts: strings.length, events: events.length })
  })
  return exits.includes(DIFFERS) ? DIFFERS : SAME
}

/** What was typed, otherwise every file that the project lists. */
function wantedOf(io: Io, { lang, out: file, package: packageName }: Options): Wanted[] {
  const listed: readonly TypesOutput[] = findProject(io)?.types ?? []
  if (lang === undefined && file === undefined && listed.length > 0) return listed.map((each) => ({ package: packageName, ...each }))
  const known = TYPE_LANGUAGES.find((each) => each === lang)
  if (!known) throw new Problem(`--lang must be one of ${TYPE_LANGUAGES.join(', ')}`, 'USAGE')
  return [{ lang: known, out: file === STANDARD ? undefined : file, package: packageName }]
}

function write(io: Io, { json, check }: Options, { lang, out }: Wanted, { code, ...counts }: Made): Exit {
  if (out === undefined) {
    io.out(json ? `${JSON.stringify({ code })}\n` : code)
    return SAME
  }
  const isSame = existsSync(resolve(io.cwd, out)) && readText(io, out) === code
  const said = isSame
    ? `${out} is up to date`
    : check
      ? `${out} is not up to date: run contentflow types --lang ${lang} --out ${out}`
      : `Wrote ${out}`
  const line = json ? `${JSON.stringify({ file: out, isSame, ...counts })}\n` : `${said}\n`
  if (isSame || check) io.out(line)
  else writeText(io, out, code, line)
  return isSame || !check ? SAME : DIFFERS
}
