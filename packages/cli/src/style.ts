/** Colours and direction of what is printed. */

type Tone = 'added' | 'removed' | 'changed' | 'quiet'

export type Style = {
  /** The text in the colour of its tone, where colours are shown. */
  paint(tone: Tone, text: string): string
  /**
   * A value of unknown direction, such as a text in Arabic: a terminal then orders its letters by themselves and leaves the line
   * around it as it is. In a file or a pipe it stays as it is.
   */
  isolate(text: string): string
}

const COLOURS: Record<Tone, readonly [number, number]> = { added: [32, 39], removed: [31, 39], changed: [33, 39], quiet: [2, 22] }
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * `FORCE_COLOR` and `NO_COLOR` say what they say for other programs: the first one goes before. Without them, colours are for
 * terminals that know them, and not for the logs of pipelines.
 */
export function styleOf(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Style {
  const forced = env['FORCE_COLOR']
  const isForced = forced !== undefined && !['0', 'false'].includes(forced)
  const isPlain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || Boolean(env['CI'])
  const hasColours = forced === undefined ? isTerminal && !isPlain : isForced
  const isolates = isTerminal || isForced
  return {
    paint: (tone, text) => {
      const [begin, end] = COLOURS[tone]
      return hasColours ? `\u001B[${begin}m${text}\u001B[${end}m` : text
    },
    isolate: (text) => (isolates && RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text),
  }
}
