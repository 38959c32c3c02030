import { notifications } from '@mantine/notifications'
import { setLanguage, useLanguage } from '../i18n.ts'
import { useTexts } from './texts.ts'

/** The language that is not the reader's, and how to change to it. When its texts cannot be loaded that is said, and it stays. */
export function useOtherLanguage() {
  const t = useTexts()
  const other = useLanguage() === 'ar' ? 'en' : 'ar'
  const change = () => {
    setLanguage(other).catch(() => notifications.show({ message: t('awayTitle'), color: 'red' }))
  }
  return { other, change } as const
}
