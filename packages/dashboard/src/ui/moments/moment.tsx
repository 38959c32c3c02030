import { Tooltip } from '@mantine/core'
import { useFormat } from '../../format.ts'
import { useTexts } from '../texts.ts'

/** A time as people say it ("3 minutes ago"), with date and zone on hover and for screen readers. */
export function Moment({ at, exact }: { at: string | Date | null | undefined; exact?: boolean }) {
  const format = useFormat()
  const t = useTexts()
  if (!at) return t('never')
  const iso = new Date(at).toISOString()
  const hijri = format.hijriDate(at)
  const other = exact ? format.ago(at) : format.moment(at)
  return (
    <Tooltip label={hijri === undefined ? other : `${other} · ${hijri}`}>
      <time dateTime={iso} style={{ whiteSpace: exact ? undefined : 'nowrap' }}>
        {exact ? format.moment(at) : format.ago(at)}
      </time>
    </Tooltip>
  )
}
