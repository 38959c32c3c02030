import { useEffect, useState } from 'react'
import { ApiError } from './api.ts'
import { useLanguage } from './i18n.ts'
import { useTexts } from './ui/texts.ts'

type Say = (error: ApiError) => string
let inArabic: Say | undefined

/** Puts an error into the reader's language. Errors that are not from the server keep their own text. */
export function useRefusal(): (error: Error) => string {
  const t = useTexts()
  const isArabic = useLanguage() === 'ar'
  const [say, setSay] = useState<Say | undefined>(() => inArabic)
  // Only readers of Arabic load the sentences.
  useEffect(() => {
    if (isArabic && !say)
      import('./refusals-ar.ts').then(
        (loaded) => {
          inArabic = loaded.inArabic
          setSay(() => loaded.inArabic)
        },
        // Until they are loaded the server's own words are shown.
        () => undefined,
      )
  }, [isArabic, say])
  return (error) => {
    if (!(error instanceof ApiError)) return error.message
    if (error.isUnread) return error.isAway ? `${t('offlineTitle')}. ${t('offlineText')}` : t('unread')
    return isArabic && say ? say(error) : error.message
  }
}
