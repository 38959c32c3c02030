/** Runs a command line: reads it with the tree of commands, and tells how it ended. */
import { CommanderError, type Command } from 'commander'
import { makeTree } from './command-tree.ts'
import { Problem, SAME, type Exit, type Io } from './io.ts'

declare const __VERSION__: string

/** Runs what `argv` (without the program itself) says; the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exit: Exit = SAME
  const isJson = argv.includes('--json')
  const program = makeTree(async (work, names, options) => {
    exit = await work(io, options, ...names)
  }).version(__VERSION__)
  // What is wrong with the arguments is told below, as any other error, where a program reads it.
  for (const command of everyCommand(program))
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: isJson ? () => undefined : io.err })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (isJson) tellJson(io, error.message.replace(/^error: /, ''), 'USAGE')
      return 1
    }
    if (error instanceof Problem) {
      if (isJson) tellJson(io, error.message, error.code)
      else io.err(`${error.message}${error.isOfServer ? ` [${error.code}]` : ''}\n`)
      return 1
    }
    if (!isJson) throw error
    tellJson(io, error instanceof Error ? error.message : String(error), 'UNEXPECTED')
    return 1
  }
}

function tellJson(io: Io, error: string, code: string): void {
  io.err(`${JSON.stringify({ error, code })}\n`)
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
