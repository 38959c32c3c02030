/** Reads own HTML of a mail as somebody sends it: only in the form that `POST /mails/import-html` brings it into. */
import { LIMITS } from '../limits.ts'
import { fault } from '../journeys/read-values.ts'
import { htmlFault, type HtmlKind } from './own-html/html-fault.ts'

/** A whole page. */
export function readHtmlMail(at: string, value: unknown): string {
  return read(at, value, 'mail')
}

/** Of a node. */
export function readHtml(at: string, value: unknown): string {
  return read(at, value, 'node')
}

function read(at: string, value: unknown, kind: HtmlKind): string {
  const most = kind === 'mail' ? LIMITS.mailCharacters : LIMITS.mailNodeCharacters
  if (typeof value !== 'string' || value.length > most) fault(`${at} must be a text of at most ${most} characters`)
  const wrong = htmlFault(value, kind)
  if (wrong) fault(`${at}, line ${wrong.line}: ${wrong.says}; POST /mails/import-html cleans HTML`)
  return value
}
