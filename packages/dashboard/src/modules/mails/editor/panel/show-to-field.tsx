import { Select } from '@mantine/core'
import type { MailSection } from '@contentflow/core/mail/document.ts'
import { useRead } from '../../../../data.ts'
import { changeSection } from '../document/change-mail.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'

type ShowToFieldProps = { section: Extract<MailSection, { showTo?: string }> }

/** The segment whose members alone get a section; its name is what the mail keeps. */
export function ShowToField({ section: { id, showTo } }: ShowToFieldProps) {
  const t = useTexts()
  const { document, change } = useEditing()
  const { data } = useRead<{ segments: { name: string }[] }>('/segments', { limit: 100 })
  const names = new Set([...(data?.segments ?? []).map(({ name }) => name), ...(showTo === undefined ? [] : [showTo])])
  return (
    <Select
      label={t('showTo')}
      placeholder={t('showToAll')}
      data={[...names]}
      value={showTo ?? null}
      onChange={(name) => change(changeSection(document, id, { showTo: name ?? undefined }))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('showToAll') }}
    />
  )
}
