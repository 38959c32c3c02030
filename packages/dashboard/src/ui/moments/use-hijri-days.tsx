import { useFormat } from '../../format.ts'
import classes from './hijri-days.module.css'

/** For pickers of dates: the Hijri day under each day, and in its name; nothing where the workspace shows Gregorian dates only. */
export function useHijriDays() {
  const format = useFormat()
  if (format.hijriDay('2026-01-01') === undefined) return {}
  return {
    renderDay: (day: string) => (
      <span className={classes.day}>
        <span>{format.number(Number(day.slice(8, 10)))}</span>
        <span className={classes.hijri} aria-hidden>
          {format.hijriDay(day)}
        </span>
      </span>
    ),
    getDayAriaLabel: (day: string) => `${format.calendarDay(day)} · ${format.hijriDayAndMonth(day)}`,
  }
}
