/** Writes the table of docs/reference/settings.md from src/config.ts. `--check` writes nothing and fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from '../src/config.ts'

const PAGE = new URL('../../../docs/reference/settings.md', import.meta.url)
const [START, END] = ['<!-- settings -->', '<!-- /settings -->']

const rows = Object.entries(SETTINGS).map(
  ([name, { default: value, help }]) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${help} |`,
)
const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
const page = readFileSync(PAGE, 'utf8')
const start = page.indexOf(START)
const end = page.indexOf(END)
if (start === -1 || end === -1) throw new Error(`docs/reference/settings.md needs ${START} and ${END}`)
const next = `${page.slice(0, start + START.length)}\n\n${table}\n\n${page.slice(end)}`
const plain = (text: string) => text.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-')
if (plain(next) !== plain(page)) {
  if (process.argv.includes('--check'))
    throw new Error('The settings in docs/reference/settings.md are not those of config.ts; run npm run docs:config')
  writeFileSync(PAGE, next)
}
