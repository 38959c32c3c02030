import { cutText } from '../cut-text.ts'

const MAX_LENGTH = 200
/** Characters nobody sees: controls, blanks without width, marks and overrides of direction. They make a name look like another one. */
// eslint-disable-next-line no-control-regex -- these are the characters to take out
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** A name of a file as people may read it and disks may hold it: no folders, nothing hidden, at most 200 characters, the ending kept. */
export function cleanFileName(name: string): string {
  const [plain = ''] = name.toWellFormed().normalize('NFC').replace(HIDDEN, '').split(/[/\\]/).slice(-1)
  const clean = plain
    .replace(/[<>:"|?*\s]+/g, ' ')
    .trim()
    .replace(/^\.+/, '')
    .trim()
  if (clean === '') return 'file'
  if (clean.length <= MAX_LENGTH) return clean
  const ending = /\.\w{1,10}$/.exec(clean)?.[0] ?? ''
  return cutText(clean, MAX_LENGTH - ending.length) + ending
}
