/** Completion, in the shells themselves where they are installed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SHELLS, type Shell } from '../src/completion/scripts.ts'
import { expectExit, openFolder, type Folder } from './cli.ts'

const CLI = fileURLToPath(new URL('../dist/contentflow.js', import.meta.url))

/** A folder with the command on its path, and the script of a shell in a file. */
async function install(shell: string): Promise<{ folder: Folder; env: NodeJS.ProcessEnv }> {
  const folder = openFolder()
  mkdirSync(join(folder.path, 'bin'))
  folder.write('bin/contentflow', `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`)
  chmodSync(join(folder.path, 'bin/contentflow'), 0o755)
  folder.write(`completion.${shell}`, expectExit(await folder.run(['completion', shell]), 0).out)
  folder.write('manifest one.json', '{}')
  mkdirSync(join(folder.path, 'content'))
  const path = `${join(folder.path, 'bin')}:${process.env['PATH']}`
  return { folder, env: { PATH: path, HOME: folder.path, TERM: 'dumb', NODE_NO_WARNINGS: '1' } }
}

const runIn = (shell: string, { folder, env }: Awaited<ReturnType<typeof install>>, args: string[]) =>
  spawnSync(shell, args, { cwd: folder.path, env, encoding: 'utf8' })

/** What bash offers for these words, which it took apart as it does at the prompt. */
function offered(installed: Awaited<ReturnType<typeof install>>, words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const script = `source completion.bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _contentflow; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = runIn('bash', installed, ['--norc', '--noprofile', '-c', script])
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter(Boolean)
}

test('bash completes commands, options, values, lists and files', async () => {
  const installed = await install('bash')
  const of = (...words: string[]) => offered(installed, ['contentflow', ...words])
  assert.ok(['blocks', 'strings', 'workspace', 'help'].every((word) => of('').includes(word)))
  assert.ok(!of('').includes('complete'), 'what only shells call is not offered')
  assert.deepEqual(of('wor'), ['workspace'])
  assert.deepEqual(of('workspace', ''), ['export', 'diff', 'plan', 'apply', 'help'])
  assert.deepEqual(of('types', '--la'), ['--lang'])
  assert.deepEqual(of('types', '--lang', ''), ['ts', 'swift', 'kotlin', 'dart'])
  assert.deepEqual(of('types', '--lang', '=', 'k'), ['kotlin'])
  assert.deepEqual(of('completion', 'z'), ['zsh'])
  assert.deepEqual(of('workspace', 'export', '--only', 'segments,geo'), ['segments,geofences'])
  assert.deepEqual(of('blocks', 'diff', 'man'), ['manifest one.json'])
  assert.deepEqual(of('import', 'x.csv', '--mapping', 'cont'), ['content'])
  assert.deepEqual(of('reports', 'run', ''), [], 'a name is not a file')
})

test('the answers to shells are the commands that help lists, with what they do', async () => {
  const folder = openFolder()
  const { out } = expectExit(await folder.run(['complete', '--', 'blocks', '']), 0)
  assert.match(out, /^diff\twhat a sync of this file would change; ends with 2 when anything\nsync\t/)
  const json = JSON.parse(expectExit(await folder.run(['complete', '--json', '--', 'blocks', 'diff', '']), 0).out)
  assert.deepEqual(json, { candidates: [], files: true })
  const refused = JSON.parse(expectExit(await folder.run(['completion', 'tcsh', '--json']), 1).err)
  assert.deepEqual(refused, { error: 'There is completion for bash, zsh, fish, not tcsh', code: 'USAGE' })
})

/** How each shell is asked what it offers behind `contentflow types --lang k`. */
const ASKED: Record<Exclude<Shell, 'bash'>, string[]> = {
  fish: ['-c', 'source completion.fish; complete -C "contentflow types --lang k"; complete -C "contentflow blocks diff man"'],
  zsh: [
    '-fc',
    `compdef() { :; }; _describe() { print -l -- \${(P)2}; }; _files() { print files; }
     source completion.zsh
     words=(contentflow types --lang k); CURRENT=4; _contentflow
     words=(contentflow blocks diff man); CURRENT=4; _contentflow`,
  ],
}

for (const shell of SHELLS) {
  const isThere = spawnSync(shell, ['--version']).status === 0
  test(`${shell} reads its script`, { skip: !isThere }, async () => {
    const { status, stderr } = runIn(shell, await install(shell), ['-n', `completion.${shell}`])
    assert.deepEqual([status, stderr], [0, ''])
  })
  if (shell === 'bash') continue
  test(`${shell} offers what there is, and files where they are wanted`, { skip: !isThere }, async () => {
    const { stdout, stderr } = runIn(shell, await install(shell), ASKED[shell])
    assert.match(stdout, /^kotlin:?\t?\n(files|manifest\\? one\.json)/, stderr)
  })
}
