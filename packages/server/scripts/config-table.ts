/** Writes the settings table of README.md from src/config.ts. `--check` writes nothing and fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS } from '../src/config.ts'

const README = new URL('../../../README.md', import.meta.url)
const [START, END] = ['<!-- settings -->', '<!-- /settings -->']

const rows = Object.entries(SETTINGS).map(
  ([name, { default: value, help }]) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${help} |`,
)
const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
const readme = readFileSync(README, 'utf8')
const start = readme.indexOf(START)
const end = readme.indexOf(END)
if (start === -1 || end === -1) throw new Error(`README.md needs ${START} and ${END}`)
const next = `${readme.slice(0, start + START.length)}\n\n${table}\n\n${readme.slice(end)}`
const plain = (text: string) => text.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-')
if (plain(next) !== plain(readme)) {
  if (process.argv.includes('--check')) throw new Error('The settings in README.md are not those of config.ts; run npm run docs:config')
  writeFileSync(README, next)
}
