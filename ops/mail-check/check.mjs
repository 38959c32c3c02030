/**
 * Says what two other readers of HTML find in mails: a validator, and the table of what mail programs support (caniemail.com,
 * whose data comes with its package). Reads files of HTML that are named, and prints a line for each finding that
 * `allowed.json` does not name with its reason; nothing when there is none.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { caniemail } from 'caniemail'
import { HtmlValidate } from 'html-validate'

const CLIENTS = ['gmail.*', 'outlook.*', 'apple-mail.*']
const allowed = JSON.parse(readFileSync(new URL('allowed.json', import.meta.url), 'utf8'))
const validator = new HtmlValidate({ root: true, extends: ['html-validate:standard'] })
const used = new Set()

/** Whether the list names it. */
function isAllowed(kind, name) {
  if (!Object.hasOwn(allowed[kind], name)) return false
  used.add(`${kind} ${name}`)
  return true
}

const files = process.argv.slice(2)
for (const file of files) {
  const html = readFileSync(file, 'utf8')
  const { results } = await validator.validateString(html)
  const seen = new Set()
  for (const { ruleId, message, line, column } of results.flatMap(({ messages }) => messages)) {
    if (isAllowed('validator', ruleId) || seen.has(ruleId + message)) continue
    seen.add(ruleId + message)
    process.stdout.write(`${basename(file)}:${line}:${column} ${ruleId}: ${message}\n`)
  }
  const { issues } = caniemail({ clients: CLIENTS, html })
  const programs = new Map()
  for (const [program, found] of issues.errors)
    for (const { title } of found) programs.set(title, [...(programs.get(title) ?? []), program])
  for (const [title, of] of programs)
    if (!isAllowed('programs', title)) process.stdout.write(`${basename(file)} ${title}: not in ${[...new Set(of)].join(', ')}\n`)
}

// A list that names what nobody finds any more says less than it seems to.
for (const [kind, names] of Object.entries(allowed))
  for (const name of Object.keys(names))
    if (!used.has(`${kind} ${name}`)) process.stdout.write(`allowed.json: nothing finds ${kind} ${name}\n`)
