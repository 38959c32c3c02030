/** Which test files a run takes, on which database, and which of them share a process. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EMBEDDED_LANE, EMBEDDED_ONLY } from './embedded-lane.mjs'
import { bringTools, TOOLS } from './tools.mjs'

/** Test files of one folder that share a process. */
const TOGETHER = 8
/** Imported, directly or by other files of tests, by whatever opens a database. */
const OPENS_DATABASE = 'packages/server/test/harness/start-app.ts'
/** Of the tests of whole systems: short ones that read, start no process and leave nothing in their own. */
const SHORT = new Set(
  [
    'isolation/addresses',
    'bad-input/arabic-search',
    'project/architecture',
    'bad-input/bad-input-bodies',
    'bad-input/bad-input-keys',
    'isolation/foreign-keys',
    'isolation/gates',
    'bad-input/head',
    'bad-input/language-tags',
    'bad-input/odd-characters',
    'histories/people-rows',
    'statements/record-statements',
    'statements/statement-rule',
    'processes/statistics',
    'processes/watching',
    'bad-input/whole-days',
  ].map((name) => `packages/server/test/${name}.test.ts`),
)
const imported = new Map()

/**
 * Lists of files, each for one process, with the database it runs on: longest first, so that the workers end together. `on` has
 * `embedded`, `postgres` and `lane`, which is `embedded` for the files of its lane alone. Without words: files of the server that
 * open a database run on each, all others once, on PostgreSQL when it is there, which takes less of the processor, and not at all
 * on a cluster. Words that all occur in a path choose files; so do the files themselves.
 */
export function selectRuns({ on, words, isTogether, isCluster }) {
  const home = isCluster ? undefined : on.includes('postgres') ? 'postgres' : 'embedded'
  const named = words.filter((word) => existsSync(word) && statSync(word).isFile())
  const found = named.length > 0 ? named : findFiles(words)
  const isElsewhere = (file, name) => name === 'postgres' && on.length > 1 && EMBEDDED_ONLY.includes(file)
  return on.flatMap((name) => {
    const database = name === 'lane' ? 'embedded' : name
    const isEach = (file) => words.length > 0 || (isOfServer(file) && opensDatabase(file)) || database === home
    const belongs = (file) => (name === 'lane' ? EMBEDDED_LANE.includes(file) : isEach(file) && !isElsewhere(file, name))
    return gather(found.filter(belongs), words.length === 0 || isTogether).map((files) => ({ files, database }))
  })
}

export function opensDatabase(file) {
  return importsOf(file).has(OPENS_DATABASE)
}

/** The n-th of so many parts, `2/4`: every fourth run beginning with the second, so that each part has some of the longest. */
export function shardOf(runs, text) {
  const [, part, parts] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (!part || !parts || part > parts) throw new Error(`--shard takes a part and how many there are, such as 1/4, not ${text}`)
  return runs.filter((_, index) => index % parts === part - 1)
}

/** The runs that have the programs they need, those brought that may be, and what is left out with the tool it lacks. */
export function withTools(runs, without) {
  const needs = (file, { files = [], helper = '' }) => files.includes(file) || importsOf(file).has(helper)
  const wanted = TOOLS.filter((tool) => runs.some(({ files }) => files.some((file) => needs(file, tool))))
  const isUnwanted = (tool) => without.includes(tool.package)
  const missing = [...wanted.filter(isUnwanted), ...bringTools(wanted.filter((tool) => !isUnwanted(tool)))]
  const isRun = (file) => !missing.some((tool) => needs(file, tool))
  const all = [...new Set(runs.flatMap(({ files }) => files))]
  return {
    runs: runs.map((run) => ({ ...run, files: run.files.filter(isRun) })).filter(({ files }) => files.length > 0),
    leftOut: missing.map((tool) => ({ tool, files: all.filter((file) => needs(file, tool)) })),
  }
}

/** The files of tests that it imports, and those that these import. */
function importsOf(file) {
  const found = new Set()
  const queue = [file]
  for (let next = queue.pop(); next; next = queue.pop())
    for (const target of directImports(next))
      if (!found.has(target)) {
        found.add(target)
        queue.push(target)
      }
  return found
}

function directImports(file) {
  if (!imported.has(file)) {
    const paths = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.{1,2}\/[^']+\.tsx?)'/g)].map(([, path]) => path)
    const targets = paths.map((path) => join(dirname(file), path))
    imported.set(
      file,
      targets.filter((target) => target.includes('/test/') && existsSync(target)),
    )
  }
  return imported.get(file)
}

/** Whole systems and browsers, then the server, then the rest. */
function findFiles(words) {
  const rank = (file) => (isOfSystem(file) ? 0 : isOfServer(file) ? 1 : 2)
  const files = globSync('packages/*/{src,test}/**/*.test.ts').filter((file) => words.every((word) => file.includes(word)))
  return files.sort().sort((a, b) => rank(a) - rank(b))
}

/** What tests a whole system has a process of its own, which takes a second and a half to start, unless it is short. */
function gather(files, isTogether) {
  if (!isTogether) return files.map((file) => [file])
  const byFolder = Map.groupBy(files, (file) => (isOfSystem(file) && !isOfPages(file) && !SHORT.has(file) ? file : dirname(file)))
  return [...byFolder.values()].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / TOGETHER) }, (_, i) => list.slice(i * TOGETHER, (i + 1) * TOGETHER)),
  )
}

function isOfServer(file) {
  return file.startsWith('packages/server/')
}

/** They share a server and a browser, each file in a workspace of its own. */
function isOfPages(file) {
  return file.startsWith('packages/dashboard/')
}

function isOfSystem(file) {
  return /^packages\/\w+\/test\//.test(file)
}
