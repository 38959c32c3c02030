import { ApiError } from './api.ts'
import { useLanguage } from './i18n.ts'
import { inArabic } from './refusals-ar.ts'

/** Says an error in the reader's language. What is not of the server says itself. */
export function useRefusal(): (error: Error) => string {
  const language = useLanguage()
  return (error) => (language === 'ar' && error instanceof ApiError && error.status > 0 ? inArabic(error) : error.message)
}
