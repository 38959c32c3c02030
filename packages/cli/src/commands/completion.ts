import type { Command } from 'commander'
import { candidatesFor } from '../completion/candidates.ts'
import { SCRIPTS, SHELLS } from '../completion/scripts.ts'
import { Problem, SAME, type Exit, type Io } from '../io.ts'

/** Prints what a shell has to run once to complete commands. */
export async function completion(io: Io, { json }: { json?: boolean }, name: string): Promise<Exit> {
  const shell = SHELLS.find((each) => each === name)
  if (!shell) throw new Problem(`There is completion for ${SHELLS.join(', ')}, not ${name}`, 'USAGE')
  io.out(json ? `${JSON.stringify({ shell, script: SCRIPTS[shell] })}\n` : SCRIPTS[shell])
  return SAME
}

/** Asked by those scripts at each Tab. `words`: what was typed behind the name of the program. */
export function completeIn(program: Command) {
  return async (io: Io, { json }: { json?: boolean }, words: string[]): Promise<Exit> => {
    const { candidates, files } = candidatesFor(program, words)
    if (json) io.out(`${JSON.stringify({ candidates, files })}\n`)
    else {
      for (const { word, about } of candidates) io.out(`${word}\t${about}\n`)
      if (files) io.out(':files\n')
    }
    return SAME
  }
}
