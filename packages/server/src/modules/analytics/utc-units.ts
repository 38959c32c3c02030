/** The beginning of the hour or day (UTC) after this moment. */
export function nextOf(unit: number, moment: number): Date {
  return new Date(Math.floor(moment / unit) * unit + unit)
}
