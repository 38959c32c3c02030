import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openApi } from '../api.ts'
import { readText, STANDARD, writeText } from '../files.ts'
import { DIFFERS, Problem, SAME, type Exit, type Io } from '../io.ts'
import { dart } from '../types/dart.ts'
import { kotlin } from '../types/kotlin.ts'
import { makeModel, type Model } from '../types/model.ts'
import { swift } from '../types/swift.ts'
import { typescript } from '../types/typescript.ts'
import { readDeclared } from './blocks.ts'
import { declaredOf, readEventTypes } from './event-types.ts'
import { readCatalog } from './strings.ts'

type Options = { json?: boolean; lang: string; out?: string; package: string; check?: boolean }

const LANGUAGES: Record<string, (model: Model, packageName: string) => string> = { ts: typescript, swift, kotlin, dart }

/** Code that knows the block types, texts and declared events of the workspace. */
export async function types(io: Io, { json, lang, out: file, package: packageName, check }: Options): Promise<Exit> {
  const out = file === STANDARD ? undefined : file
  const write = Object.hasOwn(LANGUAGES, lang) ? LANGUAGES[lang] : undefined
  if (!write) throw new Problem(`--lang must be one of ${Object.keys(LANGUAGES).join(', ')}`)
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(packageName)) throw new Problem('--package must be a name such as com.example.content')
  if (check && out === undefined) throw new Problem('--check compares a file: name it with --out')
  const api = openApi(io)
  const [blocks, { strings }, { types: seen }] = await Promise.all([readDeclared(api), readCatalog(api), readEventTypes(api)])
  const events = declaredOf(seen)
  const code = write(makeModel(blocks, strings, events), packageName)
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
  const line = json
    ? `${JSON.stringify({ file: out, isSame, blocks: blocks.length, texts: strings.length, events: events.length })}\n`
    : `${said}\n`
  if (isSame || check) io.out(line)
  else writeText(io, out, code, line)
  return isSame || !check ? SAME : DIFFERS
}
