import { Anchor, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { MailCheck } from '@contentflow/core/mail/checks.ts'
import { useFormat } from '../../../../format.ts'
import { idOf, partOf } from '../document/places.ts'
import { useEditing, useWholeMail } from '../editing-context.ts'
import { usePartName } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { useCheckWords } from './check-words.ts'
import { useMailChecks } from './use-sample.ts'

/** What is to be corrected or looked at, each with a way to its place. */
export function CheckList({ onJump }: { onJump: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { brand } = useEditing()
  const checks = useMailChecks(useWholeMail(), brand)
  const stops = checks.filter(({ level }) => level === 'stop')
  const warns = checks.filter(({ level }) => level === 'warn')
  if (checks.length === 0)
    return (
      <Text size="sm" fw={500} role="status">
        <ThemeIcon size={20} radius="xl" color="green" variant="light" me={8} style={{ verticalAlign: 'middle' }}>
          <IconCheck size={14} aria-hidden />
        </ThemeIcon>
        {t('checksFine')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500} role="status">
        {stops.length > 0 && t('checksStop', { count: stops.length, formatted: format.number(stops.length) })}{' '}
        {warns.length > 0 && t('checksWarn', { count: warns.length, formatted: format.number(warns.length) })}
      </Text>
      <List spacing={8} size="sm">
        {[...stops, ...warns].map((check, index) => (
          <Check key={index} check={check} onJump={onJump} />
        ))}
      </List>
    </Stack>
  )
}

function Check({ check, onJump }: { check: MailCheck; onJump: () => void }) {
  const t = useTexts()
  const format = useFormat()
  const { document, setLocale, select } = useEditing()
  const words = useCheckWords()
  const nameOf = usePartName()
  const { level, locale, node } = check
  // What stands in a saved part is named by the place of the part, and then by itself.
  const part = partOf(document, node?.split(':')[0])
  const Icon = level === 'stop' ? IconAlertCircle : IconAlertTriangle
  const jump = () => {
    setLocale(locale)
    if (part) select(idOf(part), { takesFocus: true })
    onJump()
  }
  return (
    <List.Item
      icon={
        <ThemeIcon size={20} radius="xl" color={level === 'stop' ? 'red' : 'orange'} variant="light">
          <Icon size={14} aria-label={t(level === 'stop' ? 'level_stop' : 'level_warn')} />
        </ThemeIcon>
      }
    >
      <Anchor component="button" type="button" size="sm" ta="start" onClick={jump}>
        {words(check)}
      </Anchor>
      <Text size="xs" c="dimmed" dir="auto" className="cf-foreign">
        {part ? t('where', { language: format.language(locale), part: nameOf(part) }) : format.language(locale)}
      </Text>
    </List.Item>
  )
}
