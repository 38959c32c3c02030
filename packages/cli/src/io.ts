import type { Style } from './style.ts'

/** The parts of the environment that a command may use. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  /** The folder of files that are named without one. */
  cwd: string
  home: string
  /** Whether a person can answer questions at the terminal. */
  isTerminal: boolean
  /** How differences look where they are printed. */
  style: Style
  /** Aborted when the process is asked to end. Only for a command that then ends by itself, such as `dev`: asking holds the process. */
  stopSignal(): AbortSignal
  out(text: string): void
  err(text: string): void
}

/** How a command ends, for pipelines: the two sides are the same, or are not. An error is 1. */
export const SAME = 0
export const DIFFERS = 2
export type Exit = typeof SAME | typeof DIFFERS

/** What errors of the command line's own are about, as programs read it with `--json`. A refusal of the server has the server's code. */
export const OWN_CODES = {
  USAGE: 'the arguments or options are not those of the command',
  FILE: 'a file is missing, cannot be read or written, or does not hold what it should',
  CREDENTIALS: 'a key, a token or the address of the server is missing, or is of another workspace',
  UNREACHABLE: 'no server answers at the address, or it is not ContentFlow',
  UNCONFIRMED: 'nobody could be asked, or somebody said no: nothing was changed',
  FAILED: 'it was done, and not all of it worked; or the server refused without a code',
  UNEXPECTED: 'a fault of the command line itself',
} as const
type OwnCode = keyof typeof OWN_CODES

/** An error and what to do about it, in words; the command ends with 1. */
export class Problem extends Error {
  /** That of the server's refusal if it had one, otherwise one of `OWN_CODES`. */
  readonly code: string
  constructor(message: string, code: OwnCode | (string & {}) = 'FAILED') {
    super(message)
    this.code = code
  }

  /** Whether the server said the code: people are shown only those. */
  get isOfServer(): boolean {
    return !Object.hasOwn(OWN_CODES, this.code)
  }
}
