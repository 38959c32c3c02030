/** Marks days of the Hijri calendar: the first of a month, of Ramadan, a feast. By Umm al-Qura. */

const format = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', { timeZone: 'UTC', month: 'numeric', day: 'numeric' })

const RAMADAN = 9
const SHAWWAL = 10
const DHU_AL_HIJJAH = 12
/** Days of both feasts as offices keep them: 1 to 3 Shawwal, 10 to 13 Dhu al-Hijjah. */
const EID_FITR_DAYS = 3
const EID_ADHA = { first: 10, last: 13 }

type Feast = 'ramadan' | 'eidFitr' | 'eidAdha'
export type HijriMark = { isFirst: boolean; feast: Feast | undefined }

/** The mark of a day such as `2026-03-20`. */
export function hijriMarkOf(date: string): HijriMark {
  const parts = new Map(format.formatToParts(new Date(`${date}T12:00:00Z`)).map(({ type, value }) => [type, Number(value)]))
  const [month, day] = [parts.get('month') ?? 0, parts.get('day') ?? 0]
  return { isFirst: day === 1, feast: feastOf(month, day) }
}

function feastOf(month: number, day: number): Feast | undefined {
  if (month === RAMADAN) return 'ramadan'
  if (month === SHAWWAL && day <= EID_FITR_DAYS) return 'eidFitr'
  return month === DHU_AL_HIJJAH && day >= EID_ADHA.first && day <= EID_ADHA.last ? 'eidAdha' : undefined
}
