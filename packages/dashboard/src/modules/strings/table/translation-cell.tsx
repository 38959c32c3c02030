import { ActionIcon, Group, Table, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconPencil } from '@tabler/icons-react'
import type { Ref } from 'react'
import { type Locale, type StringItem } from '../api.ts'
import type { Approval } from '../approval.tsx'
import { useEdit, type Edits } from '../edits.ts'
import { useLanguageName } from '../language-name.ts'
import { MessageText } from '../message-forms.tsx'
import { StatusMark } from '../status-mark.tsx'
import { useTexts } from '../texts.ts'
import { TranslationEditor } from '../translation-editor.tsx'
import classes from '../strings.module.css'

type TranslationCellProps = {
  item: StringItem
  locale: Locale
  edits: Edits
  approval: Approval
  mayEdit: boolean
  /** The keyboard is here: the one cell of the table that Tab reaches. */
  isCurrent: boolean
  /** The panel over the table holds the same editor. */
  isCovered: boolean
  cellRef: Ref<HTMLTableCellElement> | undefined
  onFocus: () => void
  onEdit: () => void
  onEdited: () => void
}

export function TranslationCell(props: TranslationCellProps) {
  const { item, locale, edits, approval, mayEdit, isCurrent, isCovered, cellRef, onFocus, onEdit, onEdited } = props
  const t = useTexts()
  const nameOf = useLanguageName()
  const translation = item.translations[locale.code]
  const isEditing = useEdit(edits, { key: item.key, locale: locale.code }) !== undefined && !isCovered
  return (
    <Table.Td
      ref={cellRef}
      role="gridcell"
      tabIndex={isCurrent ? 0 : -1}
      aria-selected={isCurrent}
      className={classes.cell}
      onFocus={onFocus}
      onDoubleClick={mayEdit && !isEditing ? onEdit : undefined}
    >
      <Text size="xs" c="dimmed" className={classes.language}>
        {nameOf(locale)}
      </Text>
      {isEditing ? (
        <TranslationEditor item={item} locale={locale} edits={edits} approval={approval} onClosed={onEdited} />
      ) : (
        <>
          {translation?.text == null ? (
            <Text size="sm" c="dimmed">
              –
            </Text>
          ) : (
            <MessageText text={translation.text} locale={locale} isClamped />
          )}
          <Group gap="xs" mt={4}>
            <StatusMark status={translation?.status ?? 'missing'} drafted={translation?.drafted} />
            <WarningsMark count={translation?.warnings.length ?? 0} isBreaking={translation?.warnings[0]?.isBreaking ?? false} label={t} />
            {mayEdit && (
              <ActionIcon
                className={classes.pencil}
                variant="subtle"
                color="gray"
                size="sm"
                tabIndex={-1}
                aria-label={t('editTranslation', { key: item.key, language: nameOf(locale) })}
                onClick={onEdit}
              >
                <IconPencil size={14} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </>
      )}
    </Table.Td>
  )
}

type WarningsMarkProps = { count: number; isBreaking: boolean; label: ReturnType<typeof useTexts> }

function WarningsMark({ count, isBreaking, label }: WarningsMarkProps) {
  if (count === 0) return null
  return (
    <Tooltip label={label(isBreaking ? 'brokenPlaceholders' : 'doubtfulPlaceholders')}>
      <Group gap={4} wrap="nowrap" component="span" className={classes.warnings}>
        <span data-breaking={isBreaking || undefined} style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
          <IconAlertTriangle size={14} aria-hidden />
          <Text span size="xs">
            {label('warnings', { count })}
          </Text>
        </span>
      </Group>
    </Tooltip>
  )
}
