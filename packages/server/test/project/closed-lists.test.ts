/**
 * Adds a member to each closed list, in a copy of the sources, and asks the compiler which files have to know it. A
 * list whose new member nobody misses is one that falls to a default without a word.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CLOSED_LISTS, type ClosedList } from './closed-lists.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n')
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'cf-closed-lists-')))
after(() => rmSync(copy, { recursive: true, force: true }))

test('a new member of a closed list is missed by the compiler in every file that CONTRIBUTING names', async (t) => {
  copySources()
  for (const list of CLOSED_LISTS) addMember(list)
  const errors = (await Promise.all(['server', 'sdk', 'cli', 'dashboard'].map(compile))).flat()
  for (const { name, member } of CLOSED_LISTS)
    await t.test(name, () => {
      const named = filesOf(name)
      assert.ok(named.length > 0, `CONTRIBUTING.md names no file for ${name}`)
      const missing = new Set(errors.filter(({ text }) => text.includes(member)).map(({ file }) => file.replace('/src/', '/')))
      assert.deepEqual(
        named.filter((file) => !missing.has(file)),
        [],
        `compiles although ${member} is new; it does not compile in ${[...missing].join(', ')}`,
      )
    })
})

/** The files that CONTRIBUTING.md names for a list, in its line `- **name**, `where`: `file`, …`. */
function filesOf(name: string): string[] {
  const line = recipes.find((each) => each.startsWith(`- **${name}**`)) ?? ''
  return [...(line.split(': ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
}

/** The sources of the packages, beside links to everything installed. `@contentflow/…` leads to the copy. */
function copySources(): void {
  for (const name of readdirSync(join(root, 'packages'))) {
    const [from, to] = [join(root, 'packages', name), join(copy, 'packages', name)]
    // The documentation site knows no list.
    if (!existsSync(join(from, 'src'))) continue
    cpSync(join(from, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !/\.test\.tsx?$/.test(path) })
    cpSync(join(from, 'package.json'), join(to, 'package.json'))
    writeFileSync(join(to, 'tsconfig.json'), readFileSync(join(from, 'tsconfig.json')))
    if (existsSync(join(from, 'node_modules'))) linkAll(join(from, 'node_modules'), join(to, 'node_modules'))
  }
  cpSync(join(root, 'tsconfig.base.json'), join(copy, 'tsconfig.base.json'))
  linkAll(join(root, 'node_modules'), join(copy, 'node_modules'))
  mkdirSync(join(copy, 'node_modules/@contentflow'))
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@contentflow', name))
}

function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@contentflow') symlinkSync(join(from, name), join(to, name))
}

function addMember({ name, file, behind, added }: ClosedList): void {
  const path = join(copy, 'packages', file)
  const text = readFileSync(path, 'utf8')
  assert.equal(text.split(behind).length, 2, `${name}: ${file} holds ${behind} exactly once`)
  writeFileSync(path, text.replace(behind, behind + added))
}

/** Every error of a package: the file, below `packages`, and the whole message. */
function compile(name: string): Promise<{ file: string; text: string }[]> {
  const args = ['-p', `packages/${name}`, '--pretty', 'false', '--noErrorTruncation']
  return new Promise((resolve) =>
    execFile(join(root, 'node_modules/.bin/tsc'), args, { cwd: copy, maxBuffer: 64e6 }, (_, output) => {
      const messages = output.split(/\n(?=packages\/)/)
      resolve(messages.map((text) => ({ file: /^packages\/([^(]+)\(/.exec(text)?.[1] ?? '', text })))
    }),
  )
}
