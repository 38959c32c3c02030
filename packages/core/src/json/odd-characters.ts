/**
 * NUL and halves of a surrogate pair, which no database here stores (G-85). In text that somebody reads each is replaced by
 * U+FFFD, and the rest of the request goes on; in what names something it is refused, because another name is another thing.
 */

/** The path of a value in a body; an item of a list stands at `*`. */
export type Path = readonly string[]
/** What becomes of an odd character there. `pass`: it is left in, for whoever reads the value on to judge. */
export type OddText = 'replace' | 'pass' | 'refuse'
/** Paths with dots: `*` stands for one name or item, `**` for any number of them, none included. */
export type OddRules = { replace: readonly string[]; pass?: readonly string[]; refuse?: readonly string[] }

export function isOdd(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

export function replaceOdd(text: string): string {
  return isOdd(text) ? text.replaceAll('\0', '\ufffd').toWellFormed() : text
}

/** `refuse` goes before the others: an id in the midst of free text. What no rule names is refused. */
export function oddTextAt({ replace, pass = [], refuse = [] }: OddRules): (path: Path) => OddText {
  const [refused, passed, replaced] = [refuse, pass, replace].map((rules) => rules.map((rule) => rule.split('.')))
  return (path) => {
    const is = (rules: readonly Path[] | undefined) => rules?.some((rule) => fits(rule, path)) ?? false
    return is(refused) ? 'refuse' : is(passed) ? 'pass' : is(replaced) ? 'replace' : 'refuse'
  }
}

/** From these parts on. A rule has few `**`, so each name of the path is looked at a few times. */
function fits(rule: Path, path: Path, at = 0, from = 0): boolean {
  const part = rule[at]
  if (part === undefined) return from === path.length
  if (part !== '**') return from < path.length && (part === '*' || part === path[from]) && fits(rule, path, at + 1, from + 1)
  if (at === rule.length - 1) return true
  for (let next = from; next < path.length; next++) if (fits(rule, path, at + 1, next)) return true
  return false
}
