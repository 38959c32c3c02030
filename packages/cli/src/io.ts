/** The parts of the environment that a command may use. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  /** The folder of files that are named without one. */
  cwd: string
  home: string
  /** Whether a person can answer questions at the terminal. */
  isTerminal: boolean
  out(text: string): void
  err(text: string): void
}

/** How a command ends, for pipelines: the two sides are the same, or are not. An error is 1. */
export const SAME = 0
export const DIFFERS = 2
export type Exit = typeof SAME | typeof DIFFERS

/** An error and what to do about it, in words; the command ends with 1. */
export class Problem extends Error {
  /** The code of the server's refusal, if it had one. */
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}
