/** Which words of a provider mean that there is no such mailbox or number: only these close a contact (G-88). */

/** Of what a server said, its status in the numbering of RFC 3463, which is no address of the internet. */
const STATUS = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/
/** No such mailbox, no such domain, not written as an address, moved away, takes no mail at all. */
const NO_SUCH_MAILBOX = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])
/** What servers say that know no such numbering. */
const NO_SUCH_WORDS = [
  /\bno such (?:user|mailbox|recipient|person|account|address|email)\b/i,
  /\b(?:user|recipient|mailbox|address|account) unknown\b/i,
  /\bunknown (?:user|recipient|mailbox|account)\b/i,
  /\b(?:user|recipient|mailbox|address|account) (?:does not|doesn't) exist\b/i,
  /\b(?:user|recipient|mailbox|address|account) (?:was )?not found\b/i,
]

/** The status decides where there is one: beside another the same words mean something else. */
export function saysNoSuchMailbox(said: string): boolean {
  const status = STATUS.exec(said)
  if (status) return NO_SUCH_MAILBOX.has(status.slice(1).join('.'))
  return NO_SUCH_WORDS.some((words) => words.test(said))
}

/** So many in a row that are nobody's, and none between them that is somebody's: the channel is wrong, not the contacts. */
export const GONE_IN_A_ROW = 20

/** In the order in which the provider said so: somebody was reached, or this one never is. */
export type ContactSignal = 'reached' | 'gone'
/** `believed`: by place, of those that are gone; `inARow`: how many stand at the end; `isFlood`: also what was believed of this row before is not any more. */
export type JudgedReports = { believed: boolean[]; inARow: number; isFlood: boolean; begins: number }

/**
 * What of a channel's words is believed; `before`: how many were gone in a row until now. `begins`: the place where the row
 * at the end began; -1: before these.
 */
export function judgeGone(before: number, said: readonly ContactSignal[]): JudgedReports {
  const believed: boolean[] = []
  let [inARow, isFlood, begins] = [before, false, -1]
  for (const [place, each] of said.entries()) {
    if (each === 'reached') {
      believed.push(false)
      inARow = 0
      begins = place + 1
      continue
    }
    inARow++
    believed.push(inARow < GONE_IN_A_ROW)
    if (inARow < GONE_IN_A_ROW) continue
    const first = Math.max(begins, 0)
    for (let at = first; at < place; at++) believed[at] = false
    if (begins === -1) isFlood = true
  }
  return { believed, inARow, isFlood, begins: inARow === 0 ? said.length : begins }
}
