/** Holds a client to its rules: a server of our own in front of it, and the program that stands for it. */
import { Problem } from '../../io.ts'
import { Broken } from '../check.ts'
import { openBench } from './bench.ts'
import { Refused, startProgram } from './program.ts'
import { CLIENT_READ_CHECKS } from './reads.ts'
import { openScripted } from './scripted.ts'
import { CLIENT_WRITE_CHECKS } from './writes.ts'

const CLIENT_CHECKS = [...CLIENT_READ_CHECKS, ...CLIENT_WRITE_CHECKS]

/** Those with `only` in their name. Each begins with an empty storage and an empty workspace; `tell` is called with what is wrong, undefined when nothing is. */
export async function checkClient(
  command: string,
  { cwd, err, only = '' }: { cwd: string; err: (text: string) => void; only?: string | undefined },
  tell: (name: string, says: string | undefined) => void,
): Promise<void> {
  const checks = CLIENT_CHECKS.filter(({ name }) => name.includes(only))
  if (checks.length === 0) throw new Problem(`no check has ${JSON.stringify(only)} in its name`, 'USAGE')
  const program = startProgram(command, cwd, err)
  try {
    for (const [index, { name, run }] of checks.entries()) {
      const server = await openScripted()
      try {
        const wrong = await wrongWith(() => run(openBench(program, server, `check-${index}`)))
        const unclosed = await wrongWith(() => program.ask({ do: 'close' }))
        tell(name, wrong ?? unclosed)
      } finally {
        await server.close()
      }
    }
  } finally {
    await program.end()
  }
}

/** What a client did wrong or refused; undefined: nothing. Rejects when it was no client's fault, or the program is gone. */
async function wrongWith(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Broken || error instanceof Refused || error instanceof TypeError) return error.message
    throw error
  }
}
