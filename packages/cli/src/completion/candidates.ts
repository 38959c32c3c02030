/** What may stand where somebody pressed Tab, read from the tree of commands. */
import type { Argument, Command, Option } from 'commander'

type Candidate = { word: string; about: string }
/** `files`: paths are as good as the candidates. */
export type Candidates = { candidates: Candidate[]; files: boolean }

/** Values of these names are files. */
const FILE_NAMES: ReadonlySet<string> = new Set(['file', 'manifest'])
const NOTHING: Candidates = { candidates: [], files: false }

/** `words`: what was typed behind the name of the program; the last one is being typed, and may be empty. */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? ''
  const { candidates, files } = everythingAt(walk(program, words.slice(0, -1)), typed)
  return { candidates: candidates.filter(({ word }) => word.startsWith(typed)), files }
}

function everythingAt({ command, place, awaiting }: Walked, typed: string): Candidates {
  if (awaiting) return valuesOf(awaiting, typed)
  const [name = '', value] = typed.split(/=(.*)/s)
  const assigned = value === undefined ? undefined : optionOf(command, name)
  if (assigned) return prefixed(valuesOf(assigned, value), `${name}=`)
  return typed.startsWith('-') ? optionsOf(command) : operandsOf(command, place)
}

type Walked = {
  command: Command
  /** Arguments before it. */ place: number
  /** An option whose value is next. */ awaiting: Option | undefined
}

function walk(program: Command, words: readonly string[]): Walked {
  let command = program
  let place = 0
  let awaiting: Option | undefined
  for (const word of words) {
    const isValue = awaiting !== undefined
    awaiting = undefined
    if (isValue) continue
    if (word.startsWith('-')) {
      const option = optionOf(command, word)
      if (option?.required && !word.includes('=')) awaiting = option
      continue
    }
    const next = place === 0 ? command.commands.find((each) => each.name() === word) : undefined
    if (next) command = next
    else place++
  }
  return { command, place, awaiting }
}

function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find((option) => option.long === word || option.short === word)
}

function optionsOf(command: Command): Candidates {
  return {
    files: false,
    candidates: [...command.options, { long: '--help', description: 'display help for command' }].flatMap(({ long, description }) =>
      long ? [{ word: long, about: description }] : [],
    ),
  }
}

/** Commands below this one, or values of the argument that is next. */
function operandsOf(command: Command, place: number): Candidates {
  const visible = place === 0 ? command.createHelp().visibleCommands(command) : []
  const commands = visible.map((each) => ({ word: each.name(), about: each.description() }))
  const argument = command.registeredArguments[place]
  const values = argument ? ofValue(argument.name(), argument.argChoices) : NOTHING
  return { candidates: [...commands, ...values.candidates], files: values.files }
}

/** Of a list with commas, the part behind the last comma is completed. */
function valuesOf(option: Option, typed = ''): Candidates {
  const [, name = ''] = /<(.+?)>/.exec(option.flags) ?? []
  const found = ofValue(name, option.argChoices)
  return name === 'kinds' ? prefixed(found, typed.slice(0, typed.lastIndexOf(',') + 1)) : found
}

function ofValue(name: string, choices: Argument['argChoices']): Candidates {
  return { candidates: (choices ?? []).map((word) => ({ word, about: '' })), files: FILE_NAMES.has(name) }
}

function prefixed({ candidates, files }: Candidates, prefix: string): Candidates {
  return { candidates: candidates.map(({ word, about }) => ({ word: prefix + word, about })), files }
}
