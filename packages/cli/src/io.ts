/** What a command may touch of the world around it. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  /** Where files that are named without a folder lie. */
  cwd: string
  home: string
  /** Whether somebody sits there who can be asked. */
  isTerminal: boolean
  out(text: string): void
  err(text: string): void
}

/** How a command ends, for pipelines: the two sides are the same, or are not. An error is 1. */
export const SAME = 0
export const DIFFERS = 2
export type Exit = typeof SAME | typeof DIFFERS

/** What went wrong and what to do, in words; the command ends with 1. */
export class Problem extends Error {
  /** Of the server's refusal, when it had one. */
  readonly code: string | undefined
  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}
