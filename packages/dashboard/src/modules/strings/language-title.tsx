import { Text } from '@mantine/core'
import type { Locale } from './api.ts'
import { useLanguageName } from './language-name.ts'

/** A language by its name and its code. */
export function LanguageTitle({ locale }: { locale: Locale }) {
  return (
    <Text size="sm" fw={600}>
      {useLanguageName()(locale)}{' '}
      <Text span size="xs" c="dimmed" className="cf-code">
        {locale.code}
      </Text>
    </Text>
  )
}
