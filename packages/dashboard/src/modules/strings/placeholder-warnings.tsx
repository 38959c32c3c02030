import { List, Text } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { Warning } from './api.ts'
import { useTexts } from './texts.ts'
import classes from './strings.module.css'

/** Warnings about the placeholders of a translation. Breaking ones are marked by a word and a colour. */
export function PlaceholderWarnings({ warnings }: { warnings: Warning[] }) {
  const t = useTexts()
  if (warnings.length === 0) return null
  return (
    <List listStyleType="none" size="xs" spacing={2} className={classes.warnings}>
      {warnings.map(({ code, placeholder, message, isBreaking }) => {
        const Picture = isBreaking ? IconAlertTriangle : IconAlertCircle
        return (
          <List.Item
            key={`${code} ${placeholder} ${message}`}
            icon={<Picture size={14} aria-hidden />}
            data-breaking={isBreaking || undefined}
          >
            <Text span size="xs">
              {isBreaking && `${t('breaking')} `}
              {t(`${code}_fault`, { placeholder: placeholder === null ? '' : isolated(placeholder), message })}
            </Text>
          </List.Item>
        )
      })}
    </List>
  )
}

/** A placeholder keeps its own order of signs within a text of either direction (first strong isolate). */
function isolated(placeholder: string): string {
  return `\u2066${placeholder}\u2069`
}
