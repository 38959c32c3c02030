/** The half of an adapter that is the same for every client: lines of JSON in, lines of JSON out. */
import { createInterface } from 'node:readline'

export type Command = { id: number; do: string } & Record<string, any>

/** Does commands one after another; `work` returns the value of the answer, or throws what the client said. */
export async function serve(work: (command: Command) => unknown): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line) as Command
    try {
      const value = await work(command)
      process.stdout.write(`${JSON.stringify({ id: command.id, ok: true, value })}\n`)
    } catch (error) {
      process.stdout.write(`${JSON.stringify({ id: command.id, ok: false, error: String((error as { code?: string }).code ?? error) })}\n`)
    }
  }
}
