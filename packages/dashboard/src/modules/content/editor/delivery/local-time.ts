/** Date pickers speak in local text without a zone; what is stored is UTC. */

/** `2026-11-21 18:00:00` in the browser's zone. */
export function toLocalText(utc: string): string {
  const at = new Date(utc)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** ISO 8601 in UTC; undefined for what is no time. */
export function toUtc(localText: string): string | undefined {
  const at = new Date(localText.replace(' ', 'T'))
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
