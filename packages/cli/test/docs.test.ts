/** docs/command-line.md lists what the program has. `UPDATE_DOCS=1` writes the list anew. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Command } from 'commander'
import { makeTree } from '../src/command-tree.ts'
import { OWN_CODES } from '../src/io.ts'
import { expectExit, openFolder } from './cli.ts'

const PAGE = new URL('../../../docs/command-line.md', import.meta.url)
const tree = makeTree(async () => undefined)

/** Commands that do something, with the words before them. */
function leaves(command: Command, before: string[] = []): { command: Command; words: string[] }[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
    .flatMap((each) => {
      const words = [...before, each.name()]
      return each.commands.length > 0 ? leaves(each, words) : [{ command: each, words }]
    })
}

const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function sectionOf({ command, words }: { command: Command; words: string[] }): string {
  const names = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`))
  const choices = (values: readonly string[] | undefined) => (values ? `: ${values.map((value) => `\`${value}\``).join(', ')}` : '')
  const arguments_ = command.registeredArguments.flatMap((each) =>
    each.argChoices ? [`- \`${each.name()}\`: ${each.description}${choices(each.argChoices)}`] : [],
  )
  const options = command.options
    .filter(({ long }) => long !== '--json')
    .map((option) => `- \`${option.flags}\`: ${option.description}${choices(option.argChoices)}`)
  const list = [...arguments_, ...options].join('\n')
  return [`### \`${['contentflow', ...words, ...names].join(' ')}\``, `${upper(command.description())}.`, ...(list ? [list] : [])].join(
    '\n\n',
  )
}

const LISTS = {
  commands: leaves(tree).map(sectionOf).join('\n\n'),
  codes: Object.entries(OWN_CODES)
    .map(([code, about]) => `- \`${code}\`: ${about}`)
    .join('\n'),
}

test('the page lists every command with its options, and every code', () => {
  let page = readFileSync(PAGE, 'utf8')
  for (const [name, list] of Object.entries(LISTS)) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end of ${name} -->)`)
    assert.match(page, place)
    page = page.replace(place, (_, begin: string, end: string) => `${begin}\n${list}\n\n${end}`)
  }
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page)
  assert.equal(readFileSync(PAGE, 'utf8'), page, 'UPDATE_DOCS=1 node --test packages/cli/test/docs.test.ts writes it anew')
})

test('every command takes --json, and tells wrong arguments as JSON then', async () => {
  const folder = openFolder()
  for (const { command, words } of leaves(tree)) {
    assert.ok(
      command.options.some(({ long }) => long === '--json'),
      words.join(' '),
    )
    const { out, err } = expectExit(await folder.run([...words, '--json', '--no-such-option']), 1)
    assert.equal(out, '')
    const { error, code } = JSON.parse(err)
    assert.equal(code, 'USAGE', words.join(' '))
    assert.match(error, /^(unknown option '--no-such-option'|required option '--user <id>' not specified)$/)
  }
})

test('the packed command has no dependencies', () => {
  const { dependencies, scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  assert.equal(dependencies, undefined)
  assert.deepEqual(
    Object.keys(scripts).filter((name) => name.includes('install')),
    [],
  )
  const imported = readFileSync(new URL('../dist/contentflow.js', import.meta.url), 'utf8').matchAll(/^import .*? from ["'](.*?)["'];?$/gm)
  for (const [, from = ''] of imported) assert.match(from, /^node:/)
})
