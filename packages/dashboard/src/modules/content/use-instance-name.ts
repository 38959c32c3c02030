import { useLanguage } from '../../i18n.ts'

type Named = { title: string; label?: string | null; id: string }

/**
 * What people call an instance: its title, or else its first text, or else the start of its id. Who reads Arabic gets the
 * text where it is Arabic and the title is not.
 */
export function useInstanceName(): (instance: Named) => string {
  const language = useLanguage()
  return ({ title, label, id }) => {
    const isArabicText = language === 'ar' && isArabic(label ?? '') && !isArabic(title)
    return (isArabicText ? label : title || label) || id.slice(0, 8)
  }
}

function isArabic(text: string): boolean {
  return /\p{Script=Arabic}/u.test(text)
}
