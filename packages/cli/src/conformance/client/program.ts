/** The program that stands in front of a client: one command as JSON in each line of its input, one answer in each line of its output. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Problem } from '../../io.ts'

/** `do` names the command; the page docs/another-language.md lists all of them with their members. */
type Command = { do: string } & Record<string, unknown>

export type Program = {
  /** The value of the answer. Rejects with what the client said when it refused, and ends the run when the program is silent. */
  ask(command: Command): Promise<unknown>
  end(): Promise<void>
}

/** What a client said of a command that did not go through; a check may expect it. */
export class Refused extends Error {}

const ANSWER_MS = 15_000

/** Starts it by a shell, so that it may have arguments. Its error output is shown. */
export function startProgram(command: string, cwd: string, err: (text: string) => void): Program {
  const child = spawn(command, { cwd, shell: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let ended: Error | undefined
  let last = 0
  const end = (error: Error) => {
    ended = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  child.stderr.setEncoding('utf8').on('data', err)
  child.stdin.on('error', () => undefined)
  child.once('error', (error) => end(new Problem(`the program cannot be started: ${error.message}`)))
  const closed = new Promise<void>((resolve) => {
    child.once('close', (code) => {
      end(new Problem(`the program has ended (${code ?? 'by a signal'})`))
      resolve()
    })
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = readAnswer(line)
    if (!answer) return end(new Problem(`the program wrote what is no answer: ${line.slice(0, 200)}`))
    const { id, ok, value, error } = answer
    const asked = waiting.get(id)
    waiting.delete(id)
    if (ok) asked?.resolve(value)
    else asked?.reject(new Refused(typeof error === 'string' ? error : 'refused'))
  })
  return {
    ask: (asked) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        const id = ++last
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new Problem(`the program does not answer ${asked.do}`))
        }, ANSWER_MS)
        const settled =
          <Args extends unknown[]>(then: (...args: Args) => void) =>
          (...args: Args) => (clearTimeout(timer), then(...args))
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
        child.stdin.write(`${JSON.stringify({ id, ...asked })}\n`)
      }),
    end: async () => {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), ANSWER_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

function readAnswer(line: string): { id: number; ok: boolean; value?: unknown; error?: unknown } | undefined {
  try {
    const read = JSON.parse(line) as Record<string, unknown> | null
    return typeof read?.['id'] === 'number' && typeof read['ok'] === 'boolean' ? (read as ReturnType<typeof readAnswer>) : undefined
  } catch {
    return undefined
  }
}
