import { useFormat, type Format } from '../../format.ts'
import { hijriMarkOf } from './hijri-feasts.ts'
import { useMomentTexts } from './texts-moment.ts'
import classes from './hijri-days.module.css'

/**
 * For pickers of dates: the Hijri day under each day, and in its name; Ramadan and the feasts marked; the Hijri months beside
 * the month. Empty where the workspace shows Gregorian dates only.
 */
export function useHijriDays() {
  const t = useMomentTexts()
  const format = useFormat()
  if (format.hijriDay('2026-01-01') === undefined) return {}
  return {
    renderDay: (day: string) => {
      const { feast } = hijriMarkOf(day)
      return (
        <span className={classes.day} data-feast={feast} title={feast && t(feast)}>
          <span>{format.number(Number(day.slice(8, 10)))}</span>
          <span className={classes.hijri} aria-hidden>
            {format.hijriDay(day)}
          </span>
        </span>
      )
    },
    getDayAriaLabel: (day: string) => {
      const { feast } = hijriMarkOf(day)
      const words = [format.calendarDay(day), format.hijriDayAndMonth(day), feast && feast !== 'ramadan' && t(feast)]
      return words.filter(Boolean).join(' · ')
    },
    monthLabelFormat: (month: string) => `${format.month(month)} · ${hijriMonthsOf(month.slice(0, 7), format)}`,
  }
}

/** The Hijri months that a month, such as `2026-03`, reaches into. */
export function hijriMonthsOf(month: string, format: Format): string | undefined {
  const end = new Date(`${month}-01T12:00:00Z`)
  end.setUTCMonth(end.getUTCMonth() + 1, 0)
  const [first, last] = [format.hijriMonth(`${month}-01`), format.hijriMonth(end.toISOString().slice(0, 10))]
  return first === last ? first : `${first} – ${last}`
}
